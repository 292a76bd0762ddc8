-- Who a person is at a company's identity provider: the issuer and its subject (OpenID Connect Core,
-- section 2).
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

-- A sign-in at a provider that a browser has begun. Its state, nonce and verifier are HMACs of the id.
create table provider_sign_ins (
  id uuid primary key,
  state_hash bytea not null unique,
  -- Null for the provider of the installation.
  provider_id uuid,
  issuer text not null,
  -- SHA-256 of the cookie of the browser.
  browser_hash bytea not null,
  next text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  -- Whom the provider named.
  subject text,
  email text,
  -- The provider's name of the person's session there.
  provider_session text,
  -- Who signs in, where a second factor is still asked for.
  user_id uuid references users (id),
  ended_at timestamptz
);
create index provider_sign_ins_by_expiry on provider_sign_ins (expires_at);

-- A session that a provider opened ends after a day at most, however often it is used.
alter table sessions
  add column ends_at timestamptz,
  add column issuer text,
  add column subject text,
  add column provider_session text;
create index sessions_by_subject on sessions (issuer, subject) where issuer is not null;

alter table users
  drop constraint users_last_signed_in_by_check,
  add constraint users_last_signed_in_by_check
    check (last_signed_in_by in ('mail', 'passkey', 'code', 'recovery_code', 'company'));
