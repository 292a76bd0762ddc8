-- A person who signed in at a company's identity provider is asked for there each hour, by a refresh
-- token.
alter table identities
  -- Whose provider it is; null for that of the installation.
  add column provider_id uuid,
  -- Sealed; null where the provider gave none, or takes it no more.
  add column refresh_token bytea,
  add column check_at timestamptz,
  -- Set while a check waits for the provider: its token may be spent without the next one being known.
  add column asked_at timestamptz;

-- Sealed, until the person has linked their account.
alter table provider_sign_ins add column refresh_token bytea;
