-- Suppressions that are known by a hash alone are listed with the others, newest first.
create index suppressed_hashes_by_time on suppressed_hashes (business_id, created_at, sha256)
where address_hmac is null;
