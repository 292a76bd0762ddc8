-- Messages: one person, one channel. The state says how far it got (docs/sending.md).
create table messages (
  business_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('transactional', 'marketing')),
  contact_id uuid,
  -- The address, normalised.
  recipient text collate "C" not null,
  -- The address as suppressions know it.
  recipient_mark bytea not null,
  template_id uuid,
  template_version_id uuid,
  state text not null check (state in ('scheduled', 'queued', 'attempting', 'accepted', 'deferred',
    'delivered', 'bounced', 'failed', 'unknown', 'suppressed', 'cancelled')),
  -- The attempt under way, or the last one: the lease of the job that made it. Whoever ends
  -- it must name it; while the job is still held under it, it is in somebody's hands.
  attempt_id uuid,
  job_shard smallint,
  job_id uuid,
  attempts smallint not null,
  -- When it is to go, or is tried again.
  due_at timestamptz not null,
  -- When it was queued: tries end a while after it. Absent of one that is scheduled.
  queued_at timestamptz,
  -- Where its last attempt led, and whose domain it came from.
  route text,
  sender_domain text,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
-- What comes back names the message alone.
create index messages_by_id on messages (id);
create index messages_by_contact on messages (business_id, contact_id, id)
  where contact_id is not null;

-- What a message says, apart, since its state is written often and this never.
create table message_contents (
  business_id uuid not null,
  message_id uuid not null,
  subject text,
  html text,
  body_text text,
  -- Values for a template.
  variables json,
  -- Name, type and base64 of each file.
  attachments json,
  created_at timestamptz not null,
  primary key (business_id, message_id)
);

-- What happened to a message after it was queued. By month, dropped after 400 days.
create table message_events (
  business_id uuid not null,
  message_id uuid not null,
  -- Made of what reported it, so that a copy of a report is known.
  id uuid not null,
  type text not null,
  happened_at timestamptz not null,
  -- The status, such as 5.1.1 or 250.
  code text,
  -- The far end's own words.
  words text,
  url text,
  machine boolean,
  created_at timestamptz not null,
  primary key (business_id, message_id, created_at, id)
) partition by range (created_at);
create table message_events_default partition of message_events default;

-- The same words to the same person: the first message of the last two minutes.
create table recent_messages (
  business_id uuid not null,
  content_hash bytea not null,
  message_id uuid not null,
  created_at timestamptz not null,
  primary key (business_id, content_hash)
);
create index recent_messages_by_age on recent_messages (created_at);

-- How fast mail of one sender domain may go one way. Workers lease from it.
create table send_throttles (
  route text not null,
  domain text not null,
  -- Messages that may go at this moment, as of filled_at.
  tokens double precision not null,
  filled_at timestamptz not null,
  -- Messages in flight at once, of one worker.
  in_flight integer not null,
  -- When the far end last asked for less.
  slowed_at timestamptz,
  paused_until timestamptz,
  -- Of marketing: the days since the first one tell how much may go.
  first_day date not null,
  day date not null,
  sent_that_day integer not null,
  primary key (route, domain)
) with (fillfactor = 70);

-- The message that the built-in inbox shows.
alter table inbox_messages add column message_id uuid;
