-- Lists from elsewhere say since when an address is suppressed, which may be years ago. What keeps
-- every "no" outside the database asks what was written last; null is as created_at says.
alter table suppressions add column written_at timestamptz;
-- Those of lists, and complaints that came back from behind another reason, may never have been kept.
update suppressions set written_at = now() where source in ('suppression.import', 'complaint');
drop index suppressions_by_age;
create index suppressions_by_writing on suppressions (coalesce(written_at, created_at));

alter table suppressed_hashes add column written_at timestamptz;
update suppressed_hashes set written_at = now() where address_hmac is null;
create index suppressed_hashes_by_writing on suppressed_hashes (coalesce(written_at, created_at))
where address_hmac is null;
