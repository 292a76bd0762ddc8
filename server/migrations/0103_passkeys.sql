-- Passkeys (WebAuthn): a person signs in without a mail, and proves that they are there.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- The authenticator's name for it.
  credential bytea not null unique,
  -- A COSE_Key (RFC 9052, section 7).
  public_key bytea not null,
  -- How often it was used, as the authenticator counts; always 0 for passkeys that are synchronised.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, id);

-- Challenges that were answered, so that no answer is taken twice. Those that nobody answers are
-- not stored: a challenge carries its time and a MAC.
create table answered_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index answered_challenges_by_expiry on answered_challenges (expires_at);

-- When the person last used a passkey in this session; null if never.
alter table sessions add column proven_at timestamptz;
