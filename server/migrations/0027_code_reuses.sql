-- Authorization codes that came a second time, noted on the connection that the first use made
-- (RFC 6749 section 4.1.2), as late reuse of refresh tokens is.
alter table connections
  add column code_reuses integer not null default 0,
  add column last_code_reuse_at timestamptz;
