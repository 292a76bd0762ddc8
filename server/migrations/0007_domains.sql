-- Who a business's mail is from, where a call does not say.
alter table businesses add column sender text;

-- Domains that businesses send from. `report` is what the last check found, record by record.
create table domains (
  business_id uuid not null,
  id uuid not null,
  -- As DNS knows it: lower case, IDN in A-labels.
  name text collate "C" not null,
  -- The part that was registered, below a public suffix.
  registrable text collate "C" not null,
  status text not null check (status in ('pending', 'verified', 'degraded')),
  -- DKIM found right so many times in a row, the last time then.
  passes integer not null,
  passed_at timestamptz,
  -- DKIM found wrong so many times in a row, the first time then.
  misses integer not null,
  missing_since timestamptz,
  -- Another business holds the name, and its records are found too.
  held_elsewhere boolean not null,
  verified_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  report json not null,
  -- Counts changes, so that what was found for an older state is not recorded.
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, name)
);

-- Two slots, s1 and s2, which take turns. A slot whose key is no longer used keeps the
-- public half, to be recognised where it is still published.
create table domain_keys (
  business_id uuid not null,
  domain_id uuid not null,
  slot smallint not null check (slot in (1, 2)),
  state text not null check (state in ('active', 'coming', 'leaving', 'revoked')),
  rsa_public text not null,
  rsa_private bytea,
  ed25519_public text,
  ed25519_private bytea,
  -- Of a coming key: found right since then, with the longest TTL met.
  seen_at timestamptz,
  ttl_seconds integer not null,
  -- Of a leaving key: when it is revoked.
  leaves_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, domain_id, slot)
);

-- Who holds a verified name: one domain of one business at a time. Kept by name, since the
-- question is asked across businesses; it tells nobody whose the name is.
create table domain_claims (
  name text collate "C" primary key,
  domain_id uuid not null,
  -- Its records were not found for a day: whoever proves the name may take it over.
  degraded boolean not null,
  claimed_at timestamptz not null
);
