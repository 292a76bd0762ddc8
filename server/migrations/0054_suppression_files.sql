-- A file can also hold people who must not be written to.
alter table imports add column kind text not null default 'contacts'
  check (kind in ('contacts', 'suppressions'));

-- Whom such a file named, for undoing its import: `mark` is an address hash, or the SHA-256 that
-- the file gave, which has no channel. `before` is what an existing suppression was.
create table import_suppressions (
  business_id uuid not null,
  import_id uuid not null,
  mark bytea not null,
  channel text check (channel in ('email', 'sms')),
  is_new boolean not null,
  before json,
  primary key (business_id, import_id, mark)
);
create index import_suppressions_by_mark on import_suppressions (business_id, mark);

-- An export finds the SHA-256 of a suppressed address by its hash.
create index suppressed_hashes_by_address on suppressed_hashes (business_id, address_hmac)
where address_hmac is not null;
