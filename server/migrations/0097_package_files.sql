-- The packages that this installation has served, so that the lock file of a program that installed one
-- finds the same bytes under the same address after every upgrade, from every node.
create table package_files (
  file text primary key,
  sha256 bytea not null,
  bytes bytea not null,
  created_at timestamptz not null
);
