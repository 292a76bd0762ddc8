-- One-time codes of an authenticator app (TOTP, RFC 6238): at most one app of each person.
create table authenticator_apps (
  user_id uuid primary key references users (id),
  -- Sealed; null until the first code has shown that the app has it.
  secret bytea,
  -- Sealed: of an app that is being set up, in place of the one before.
  new_secret bytea,
  new_secret_at timestamptz,
  added_at timestamptz,
  -- The time step of the last code that was taken, so that a code counts once.
  last_step bigint not null default 0,
  last_used_at timestamptz
);

-- Ten codes for a person who has lost their other factors. Each counts once.
create table recovery_codes (
  user_id uuid not null references users (id),
  -- An HMAC of the person and the code.
  hash bytea not null,
  made_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- How the person last proved that it is they, and by which passkey.
alter table sessions
  add column proven_by text
    constraint sessions_proven_by_check check (proven_by in ('passkey', 'code', 'recovery_code')),
  add column proven_with uuid;
update sessions set proven_by = 'passkey' where proven_at is not null;

-- From when members need a second factor, and whether some acts ask for it again.
alter table businesses
  add column factor_required_from timestamptz,
  add column asks_fresh_factor boolean not null default false;

-- An owner asked that a member's factors be removed; they are at due_at unless somebody stops it.
create table factor_resets (
  business_id uuid not null references businesses (id),
  user_id uuid not null references users (id),
  asked_by uuid not null references users (id),
  asked_at timestamptz not null,
  due_at timestamptz not null,
  primary key (business_id, user_id)
);
create index factor_resets_by_due on factor_resets (due_at);
create index factor_resets_by_user on factor_resets (user_id);

-- When and how a person last signed in, for the owners of their businesses.
alter table users
  add column last_signed_in_at timestamptz,
  add column last_signed_in_by text
    constraint users_last_signed_in_by_check
    check (last_signed_in_by in ('mail', 'passkey', 'code', 'recovery_code'));
