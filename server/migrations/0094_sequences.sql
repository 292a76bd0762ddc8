-- Sequences ("Automations" in the app): their drafts, their versions, who is inside, and what each person got.

create table sequences (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'awaiting_approval', 'running', 'paused', 'stopped')),
  -- The definition that was saved last, and how often it was saved.
  definition json not null,
  version integer not null,
  -- The version by which people enter now; null before the first start.
  running_version integer,
  pause_reason text,
  -- An order that waits for a person: what to do with those inside, the plan's hash and who ordered it.
  wanted json,
  -- What a person approved: at most so many people a day, until a day.
  is_approved boolean default false not null,
  people_per_day integer,
  ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (business_id, id)
);
create unique index sequences_by_name on sequences (business_id, lower(name)) where deleted_at is null;

-- A version that was started. It never changes: neither its rule nor its mails.
create table sequence_versions (
  business_id uuid not null,
  sequence_id uuid not null,
  version integer not null,
  definition json not null,
  -- The version of each template at the start, by the template's id.
  templates json not null,
  connection_id uuid,
  call_id uuid,
  started_at timestamptz not null,
  primary key (business_id, sequence_id, version)
);

-- When the sequence's next job is due; null if none waits.
create table sequence_wakes (
  business_id uuid not null,
  sequence_id uuid not null,
  wake_at timestamptz,
  primary key (business_id, sequence_id)
);

-- One row for each time that a person entered.
create table sequence_entries (
  business_id uuid not null,
  sequence_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  version integer not null,
  -- What caused it: an event's id, a day, or a call. One cause lets a person in once.
  cause text not null,
  state text not null check (state in ('active', 'holdout', 'finished', 'left')),
  reason text,
  -- The number of the next step.
  step smallint not null,
  -- When it is done; null while the person is not inside.
  due_at timestamptz,
  -- The event for which the person waits, until due_at.
  waits_for json,
  -- The properties of the event by which the person entered.
  event json not null,
  entered_at timestamptz not null,
  -- When the step before was done.
  stepped_at timestamptz not null,
  ended_at timestamptz,
  primary key (business_id, sequence_id, id)
);
create unique index sequence_entries_by_cause
  on sequence_entries (business_id, sequence_id, contact_id, cause);
create index sequence_entries_due on sequence_entries (business_id, sequence_id, due_at)
  where state = 'active';
create index sequence_entries_by_contact on sequence_entries (business_id, contact_id, id);
create index sequence_entries_waiting on sequence_entries (business_id, contact_id)
  where waits_for is not null;

-- What became of each step of each person. Never partitioned: its key is what prevents a second mail.
create table sequence_steps (
  business_id uuid not null,
  sequence_id uuid not null,
  entry_id uuid not null,
  step smallint not null,
  outcome text not null check (outcome in ('done', 'skipped')),
  reason text,
  message_id uuid,
  done_at timestamptz not null,
  primary key (business_id, sequence_id, entry_id, step)
);
