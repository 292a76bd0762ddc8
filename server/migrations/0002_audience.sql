-- Writing: idempotency keys. The answer is stored in the transaction that did the work.
create table idempotency_keys (
  business_id uuid not null,
  key text collate "C" not null,
  -- SHA-256 of the operation's name and its arguments.
  body_hash bytea not null,
  answer json,
  created_at timestamptz not null,
  primary key (business_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Events: bodies as they are signed, never changed but by erasure. By day, dropped after
-- 30; the default partition takes what has no day of its own yet.
create table events (
  business_id uuid not null,
  id uuid not null,
  type text not null,
  body text not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, created_at, id)
) partition by range (created_at);
create table events_default partition of events default;

-- The last position of each business. Whoever holds the row gives out the next ones.
create table event_heads (
  business_id uuid primary key,
  position bigint not null,
  -- Never goes back, whichever node's clock it came from.
  placed_at timestamptz not null
) with (fillfactor = 70);

-- The feed: positions without gaps, in the order in which events became visible.
create table event_feed (
  business_id uuid not null,
  position bigint not null,
  placed_at timestamptz not null,
  event_id uuid not null,
  type text not null,
  created_at timestamptz not null,
  primary key (business_id, position, placed_at)
) partition by range (placed_at);
create table event_feed_default partition of event_feed default;

-- Who did what, for sends, imports, deploys, erasure and settings. By month.
create table audit_entries (
  business_id uuid not null,
  id uuid not null,
  action text not null,
  subject text,
  details jsonb not null,
  user_id uuid,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, created_at, id)
) partition by range (created_at);
create table audit_entries_default partition of audit_entries default;

-- Usage: what a tier limits by the month. The row is what holds the limit.
create table usage_months (
  business_id uuid not null,
  metric text not null,
  month date not null,
  amount bigint not null,
  primary key (business_id, metric, month)
) with (fillfactor = 70);

-- Each step of a limit that was crossed, once a month.
create table usage_thresholds (
  business_id uuid not null,
  metric text not null,
  month date not null,
  step smallint not null,
  crossed_at timestamptz not null,
  primary key (business_id, metric, month, step)
);

-- Forms. Submissions are counted in the form's row, locked once a flush.
create table forms (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'published', 'archived')),
  fields json not null,
  tags text[] not null,
  -- Counts changes of the fields.
  version integer not null,
  submission_count bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id)
) with (fillfactor = 70);

-- What was answered, as strings (events tell them so) and as what they mean.
create table submissions (
  business_id uuid not null,
  form_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- The form's, when the answers were checked.
  form_version integer not null,
  fields json not null,
  answers json not null,
  source_url text not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, form_id, id)
);

-- Contacts. Each address belongs to one contact of its business; whoever gives a contact an
-- address holds the business's row of usage_standing, so that two never race for one.
create table contacts (
  business_id uuid not null,
  id uuid not null,
  email text collate "C",
  -- E.164.
  phone text collate "C",
  name text,
  attributes jsonb not null,
  -- In order.
  tags text[] not null,
  email_consent text not null check (email_consent in ('none', 'subscribed', 'unsubscribed')),
  sms_consent text not null check (sms_consent in ('none', 'subscribed', 'unsubscribed')),
  -- What brought it first.
  source text not null check (source in ('api', 'import', 'form')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, email),
  unique (business_id, phone),
  check (email is not null or phone is not null)
) with (fillfactor = 85);
-- For searching by the beginning of a name.
create index contacts_by_name on contacts (business_id, (lower(name)) collate "C");

-- What each contact agreed to or withdrew, with its evidence. Rows are only ever added.
create table consent_events (
  business_id uuid not null,
  contact_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  -- The status that it led to.
  action text not null check (action in ('none', 'subscribed', 'unsubscribed')),
  -- Where it was said, in the words of who recorded it.
  source text not null,
  -- What was agreed to, word for word.
  text text,
  ip inet,
  agent text,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, contact_id, id)
);

-- Addresses that are not written to, whoever's they are, known by their HMAC alone: it
-- outlives the contact.
create table suppressions (
  business_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address_hmac bytea not null,
  reason text not null check (reason in ('erased', 'complaint', 'bounce', 'manual')),
  -- What reported it.
  source text not null,
  created_at timestamptz not null,
  primary key (business_id, channel, address_hmac)
);

-- What happened to and by a contact: the timeline, and what segments ask about behaviour.
create table contact_activity (
  business_id uuid not null,
  contact_id uuid not null,
  id uuid not null,
  type text not null,
  -- Ids and our own words, never a stranger's.
  details json not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, contact_id, id)
);
