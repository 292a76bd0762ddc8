-- What came of a campaign's messages, by the provider that receives them. Rows of several slots add
-- up, as in campaign_counts. The empty provider stands for all beyond the most that are told apart.
create table campaign_provider_counts (
  business_id uuid not null,
  campaign_id uuid not null,
  provider text not null,
  slot smallint not null,
  sent bigint not null,
  delivered bigint not null,
  deferred bigint not null,
  refused bigint not null,
  refused_by_policy bigint not null,
  bounced bigint not null,
  complained bigint not null,
  primary key (business_id, campaign_id, provider, slot)
);

-- The words of refusals, without what differs from message to message.
create table campaign_provider_words (
  business_id uuid not null,
  campaign_id uuid not null,
  provider text not null,
  words text not null,
  amount bigint not null,
  primary key (business_id, campaign_id, provider, words)
);

-- A provider to which a campaign's messages wait until a time, because it refused too many of them
-- or its mailboxes complained. The counters from which the next judgement starts are `base_*`; they
-- are set when the hold is over.
create table provider_holds (
  business_id uuid not null,
  campaign_id uuid not null,
  provider text not null,
  reason text not null,
  times smallint not null,
  held_at timestamptz not null,
  held_until timestamptz not null,
  sent bigint not null,
  refused_by_policy bigint not null,
  complained bigint not null,
  is_rebased boolean not null,
  base_sent bigint not null,
  base_refused bigint not null,
  base_complained bigint not null,
  primary key (business_id, campaign_id, provider)
);
