-- The list is read newest first. A complaint is remembered beside what stops all mail, so that
-- lifting the one does not lift the other.
alter table suppressions add column complained_at timestamptz;
update suppressions set complained_at = created_at where reason = 'complaint';
create index suppressions_by_time on suppressions (business_id, created_at, address_hmac);
