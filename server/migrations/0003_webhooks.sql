-- Webhooks: subscriptions, their secrets, the log of attempts and the dead letters. What is
-- still to be delivered lies in jobs.

create table webhooks (
  business_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  -- Whose right it has: the connection that said last what goes where.
  connection_id uuid not null,
  paused_at timestamptz,
  paused_because text check (paused_because in ('asked', 'connection_ended')),
  -- Since when its receiver answers no attempt; absent while it does.
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept for a while, so that deleting it again is no fault.
  deleted_at timestamptz,
  primary key (business_id, id),
  check ((paused_at is null) = (paused_because is null))
) with (fillfactor = 85);

-- What deliveries are signed with: all that have not expired, the newest first.
create table webhook_secrets (
  business_id uuid not null,
  webhook_id uuid not null,
  version integer not null,
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (business_id, webhook_id, version),
  foreign key (business_id, webhook_id) references webhooks (business_id, id) on delete cascade
);

-- The log: a row for each attempt, written before its request and completed after it. One
-- that has begun and never ends was cut off with its worker. By day, dropped after 30.
create table webhook_attempts (
  business_id uuid not null,
  -- dlv_…
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamptz not null,
  -- 1 to 7, counted anew in each replay.
  attempt smallint not null,
  -- The attempt that somebody had replayed.
  replay_of uuid,
  created_at timestamptz not null,
  -- Absent while a replay waits for its turn.
  begun_at timestamptz,
  ended_at timestamptz,
  outcome text check (outcome in ('delivered', 'failed')),
  -- As they were when it was sent.
  url text,
  signature text,
  -- Of the answer; absent where none came.
  status smallint,
  -- Why none came, or why it does not count.
  failure text,
  -- The first bytes of the answer's body.
  response bytea,
  next_attempt_at timestamptz,
  primary key (business_id, id, created_at)
) partition by range (created_at);
create index webhook_attempts_by_webhook on webhook_attempts (business_id, webhook_id, id desc);
create table webhook_attempts_default partition of webhook_attempts default;

-- Deliveries given up after the seventh failure, until they are replayed. By day, dropped
-- after 30, when the bodies of their events go.
create table dead_letters (
  business_id uuid not null,
  webhook_id uuid not null,
  -- Of the last attempt, dlv_….
  id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamptz not null,
  attempts smallint not null,
  status smallint,
  failure text not null,
  failed_at timestamptz not null,
  primary key (business_id, webhook_id, event_id, failed_at)
) partition by range (failed_at);
create index dead_letters_by_age on dead_letters (business_id, webhook_id, id desc);
create table dead_letters_default partition of dead_letters default;
