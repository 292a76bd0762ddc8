-- Keys of the installations from which a business came: they check its old links, and hash its
-- addresses as before, so that its suppressions hold. Sealed by the root key.
create table moved_keys (
  -- The business's.
  id uuid not null,
  purpose text not null,
  -- 0 is the newest installation that it came from.
  ordinal smallint not null,
  sealed bytea not null,
  moved_at timestamptz not null,
  primary key (id, purpose, ordinal)
);
