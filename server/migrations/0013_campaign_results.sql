-- Those of whom nobody knows: listed, and sent again by a person's decision.
create index campaign_recipients_unknown on campaign_recipients (business_id, campaign_id, contact_id)
  where state = 'unknown';

-- Links of a campaign that were followed.
create table campaign_links (
  business_id uuid not null,
  campaign_id uuid not null,
  url_hash bytea not null,
  url text not null,
  primary key (business_id, campaign_id, url_hash)
);

-- Who followed which: somebody counts once, and once more for his mail program's scanner.
create table campaign_link_people (
  business_id uuid not null,
  campaign_id uuid not null,
  url_hash bytea not null,
  contact_id uuid not null,
  machine boolean not null,
  primary key (business_id, campaign_id, url_hash, contact_id, machine)
);

-- What came of it and when, by ten minutes.
create table campaign_series (
  business_id uuid not null,
  campaign_id uuid not null,
  at timestamptz not null,
  metric text not null,
  -- Of each so many rows, so that no two flushes wait for one.
  slot smallint not null,
  amount bigint not null,
  primary key (business_id, campaign_id, at, metric, slot)
) with (fillfactor = 70);

-- A/B tests: a part of the audience gets the variants, the others the one that wins.
create table campaign_tests (
  business_id uuid not null,
  campaign_id uuid not null,
  -- Of a hundred.
  sample smallint not null,
  decided_by text not null check (decided_by in ('clicks', 'opens')),
  after_minutes integer not null,
  winner smallint,
  -- Whether a person chose it.
  by_hand boolean not null,
  decided_at timestamptz,
  -- When the last of the others was given the winner.
  released_at timestamptz,
  primary key (business_id, campaign_id)
);
