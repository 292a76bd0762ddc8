-- An API key is a connection without a client: what it did, may do and when it was last used are
-- kept where they are kept for every connection. The role is the most it may act with.
alter table connections
  alter column client_id drop not null,
  alter column redirect_uri drop not null,
  add column role text check (role in ('owner', 'admin', 'editor', 'viewer')),
  add column recipients_per_day integer,
  add constraint connections_are_of_a_client_or_a_key check (
    (client_id is null) = (redirect_uri is null)
    and (client_id is null) = (role is not null)
    and (client_id is null) = (recipients_per_day is not null)
  );

create table api_keys (
  business_id uuid not null references businesses (id),
  -- Of its connection.
  id uuid not null references connections (id),
  -- SHA-256 of the key: the key itself is shown once and kept nowhere.
  hash bytea not null,
  name text not null,
  made_by uuid not null references users (id),
  -- CIDR blocks; none: it is taken from anywhere.
  networks text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (business_id, id)
);
-- A key is looked up by what its holder sends, before its business is known. Not unique: a hash of
-- 256 random bits is so by itself, and a unique index would have to begin with the business.
create index api_keys_by_hash on api_keys (hash);
create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null;

-- Recipients that a key has ordered messages to, by half hour, as {"<half hour>": <recipients>}.
create table key_recipients (
  business_id uuid not null,
  connection_id uuid not null,
  counted json not null,
  primary key (business_id, connection_id)
);
