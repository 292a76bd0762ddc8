-- People, businesses, connections, OAuth state, jobs, usage and the built-in inbox.
-- Rules of the schema: docs/architecture.md. A business's rows lead with business_id;
-- token tables are keyed by SHA-256; ids are made by the service (uuid v7);
-- timestamps are parameters; no sequences, triggers or procedures.

create table users (
  id uuid primary key,
  email text not null unique,
  created_at timestamptz not null
);

create table businesses (
  id uuid primary key,
  name text not null,
  tier text not null check (tier in ('free', 'growth', 'scale')),
  time_zone text not null default 'UTC',
  language text not null default 'en',
  postal_address text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table memberships (
  business_id uuid not null references businesses (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  created_at timestamptz not null,
  primary key (business_id, user_id)
);
-- Covers the read that every call makes: a fifth faster than an index of user_id alone.
create index memberships_by_user on memberships (user_id) include (business_id, role);

create table oauth_clients (
  id text primary key,
  kind text not null check (kind in ('dynamic', 'document')),
  name text not null,
  redirect_uris text[] not null,
  grant_types text[] not null,
  created_at timestamptz not null,
  -- A client that is a document (its id is the document's URL) is read afresh after this.
  document_expires_at timestamptz,
  disabled_at timestamptz
);
create index oauth_clients_by_age on oauth_clients (created_at);

create table allowed_redirects (
  uri text primary key,
  created_at timestamptz not null
);

-- One grant by one person to one client. The businesses are those the person could
-- reach when it was made; each call intersects them with current membership.
create table connections (
  id uuid primary key,
  user_id uuid not null references users (id),
  client_id text not null references oauth_clients (id),
  redirect_uri text not null,
  scopes text[] not null,
  business_ids uuid[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  late_reuses integer not null default 0,
  last_late_reuse_at timestamptz
);
create index connections_by_user on connections (user_id, created_at desc);
create index connections_by_client on connections (client_id);

create table authorization_codes (
  hash bytea primary key,
  connection_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  scopes text[] not null,
  business_ids uuid[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorization_codes_by_expiry on authorization_codes (expires_at);

create table refresh_tokens (
  hash bytea primary key,
  connection_id uuid not null references connections (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  rotated_at timestamptz
);
create index refresh_tokens_by_connection on refresh_tokens (connection_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- Keys are numbered, so that of several nodes that make the next one at once one wins.
-- A key is published from created_at, signs from signs_from until the next one does,
-- and is deleted when its last token has expired.
create table signing_keys (
  kid text primary key,
  number integer not null unique,
  public_jwk jsonb not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null
);

create table magic_links (
  id uuid primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('connect', 'session', 'setup')),
  email text,
  -- What the person was shown and agreed to: the authorization request and the scopes left ticked.
  request jsonb not null,
  browser_hash bytea,
  short_code_hash bytea,
  short_code_tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index magic_links_by_expiry on magic_links (expires_at);

create table sessions (
  hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- The latest attempts per key, for limits that must hold across nodes and restarts
-- (mail to one address, registrations from one network). Keys are HMACs.
create table attempt_windows (
  key bytea primary key,
  -- When each was made, oldest first; never more of them than the limit.
  times timestamptz[] not null,
  expires_at timestamptz not null
);
create index attempt_windows_by_expiry on attempt_windows (expires_at);

-- Requests per token, node and second of the last minute, exchanged between nodes;
-- the last count is that of last_second. Losing it loses a minute of counts.
create unlogged table request_seconds (
  key text collate "C" not null,
  node uuid not null,
  last_second bigint not null,
  counts smallint[] not null,
  primary key (key, node)
) with (fillfactor = 70);

-- The queue. Each job belongs to a lane, the unit of fairness, and both to one of 256
-- shards, each leased to one worker at a time. Claiming a job puts due_at behind its
-- lease, so that it falls due again by itself where the worker dies.
create table jobs (
  shard smallint not null,
  id uuid not null,
  lane uuid not null,
  kind text not null,
  payload json not null,
  due_at timestamptz not null,
  -- Tries that ended in failure.
  attempt integer not null default 0,
  -- Claims since the last one that was settled: what crashes its worker is parked by it.
  claims integer not null default 0,
  lease uuid,
  parked_at timestamptz,
  -- The class or code of the last error, never its message.
  fault text,
  created_at timestamptz not null,
  primary key (shard, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index jobs_due on jobs (shard, lane, due_at) where parked_at is null;
create index jobs_parked on jobs (kind, parked_at) where parked_at is not null;

create table lanes (
  shard smallint not null,
  id uuid not null,
  kind text not null,
  -- 0 urgent, 1 normal, 2 bulk.
  priority smallint not null,
  -- Jobs in flight at once; absent for what the kind says.
  capacity smallint,
  -- When there may be something to claim; infinity where nothing waits.
  next_at timestamptz not null,
  touched_at timestamptz not null,
  paused_at timestamptz,
  primary key (shard, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index lanes_due on lanes (shard, priority, next_at) where paused_at is null;

create table shard_leases (
  shard smallint primary key,
  worker uuid,
  expires_at timestamptz not null
);
insert into shard_leases (shard, worker, expires_at)
select shard, null, '-infinity' from generate_series(0, 255) as shard;

-- The workers alive, by which each knows its share of the shards.
create table job_workers (
  id uuid primary key,
  expires_at timestamptz not null
);

create table usage_days (
  business_id uuid not null references businesses (id),
  metric text not null,
  day date not null,
  amount bigint not null,
  primary key (business_id, metric, day)
);

-- How many there are now, of what a tier limits as a standing number.
create table usage_standing (
  business_id uuid not null references businesses (id),
  metric text not null,
  amount bigint not null,
  primary key (business_id, metric)
);

create table inbox_messages (
  id uuid primary key,
  recipient text not null,
  sender text not null,
  subject text not null,
  body_text text not null,
  body_html text,
  -- The MIME message as it would have gone over SMTP.
  source bytea not null,
  created_at timestamptz not null
);
create index inbox_messages_by_recipient on inbox_messages (recipient, id desc);

-- Facts about the installation as a whole, such as when its set-up was finished.
create table installation (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);
