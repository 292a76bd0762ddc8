-- The run of campaigns (docs/campaign-runs.md): a recipient becomes a message like any other.
alter table messages add column campaign_id uuid;

-- Campaigns whose messages do not go now, or never will. Asked when an attempt begins, so
-- that from the moment such a row is there nothing more of the campaign goes out.
create table message_holds (
  business_id uuid not null,
  campaign_id uuid not null,
  state text not null check (state in ('held', 'cancelled')),
  created_at timestamptz not null,
  primary key (business_id, campaign_id)
);

-- How far each campaign has come. Its one job alone writes here, a little each turn.
create table campaign_runs (
  business_id uuid not null,
  campaign_id uuid not null,
  -- The newest contact of the moment in which the freeze began, and the last one looked at.
  freeze_end uuid not null,
  frozen_to uuid,
  -- What the tier's month still allows of it; null: no limit.
  quota_left bigint,
  -- Those who are to get it.
  recipients integer not null,
  -- The last one taken, in the order of contacts, and how many were taken in any order.
  taken_to uuid,
  taken integer not null,
  -- Of all rows up to this one none is open.
  ended_to uuid,
  -- How many go first, and until when the others wait for what comes of them.
  canary integer not null,
  canary_until timestamptz,
  -- How many the throttle lets go, as of paced_at.
  tokens double precision not null,
  paced_at timestamptz not null,
  -- What had been counted when a person let it go on: the brake reckons from there.
  brake_from json not null,
  updated_at timestamptz not null,
  primary key (business_id, campaign_id)
) with (fillfactor = 50);

-- What a recipient did, as bits, so that each counts once (campaigns/results/engagement.ts).
alter table campaign_recipients add column marks smallint not null default 0;
-- Those who have an hour of their own.
create index campaign_recipients_timed on campaign_recipients (business_id, campaign_id, due_at)
  where due_at is not null;

-- Counters in slots, so that no two flushes wait for one row: readers sum them.
alter table campaign_counts drop constraint campaign_counts_pkey;
alter table campaign_counts add column slot smallint not null default 0;
alter table campaign_counts add primary key (business_id, campaign_id, slot, variant, metric);
