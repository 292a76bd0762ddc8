-- What something other than an imported file said of an address that such a file had put on the list.
-- Undoing the import leaves that in place of the file's own reason.
alter table suppressions
  add column beside_reason text,
  add column beside_source text,
  add column beside_at timestamptz;
alter table suppressed_hashes
  add column beside_reason text,
  add column beside_source text,
  add column beside_at timestamptz;
