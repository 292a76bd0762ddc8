-- The identity provider of a business, by which its people sign in. Its id is that of the business.
create table identity_providers (
  business_id uuid primary key references businesses (id),
  issuer text not null,
  client_id text not null,
  -- Sealed; null for a public client.
  client_secret bytea,
  name text not null,
  -- Whether its addresses count without email_verified.
  trusts_addresses boolean not null default false,
  -- The role of new people by the name of a group: [{"group": "…", "role": "…"}].
  roles jsonb not null default '[]',
  -- The role of new people of no such group; null: they are refused.
  default_role text
    constraint identity_providers_default_role_check
    check (default_role in ('viewer', 'editor', 'approver', 'admin')),
  saved_at timestamptz not null
);

-- Whose people it signs in: mail domains, each proven by a DNS record.
create table provider_domains (
  business_id uuid not null references businesses (id),
  domain text not null,
  added_at timestamptz not null,
  -- Null until the record was found, and again once it is gone.
  proven_at timestamptz,
  checked_at timestamptz,
  primary key (business_id, domain)
);
create index provider_domains_proven on provider_domains (domain) where proven_at is not null;

-- Which business has a domain: one, while its proof holds. Two that prove it at one moment meet here.
create table provider_domain_claims (
  name text collate "C" primary key,
  held_by uuid not null,
  claimed_at timestamptz not null
);

-- The role that the provider's groups give to somebody new.
alter table provider_sign_ins add column role text;
