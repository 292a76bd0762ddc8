-- Lists of suppressions that are brought from elsewhere: who unsubscribed there is suppressed here
-- whether or not there is a contact, and an address may be known by its SHA-256 alone.
alter table suppressions drop constraint suppressions_reason_check;
alter table suppressions add constraint suppressions_reason_check
  check (reason in ('erased', 'complaint', 'bounce', 'manual', 'stop', 'unsubscribed'));

create table suppressed_hashes (
  business_id uuid not null,
  -- SHA-256 of the address as Crier spells it: lower case, or E.164.
  sha256 bytea not null,
  reason text not null check (reason in ('complaint', 'bounce', 'manual', 'unsubscribed')),
  created_at timestamptz not null,
  -- The address as suppressions know it, once a contact has it.
  address_hmac bytea,
  primary key (business_id, sha256)
);
