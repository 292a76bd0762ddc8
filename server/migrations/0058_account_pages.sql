-- By what a person recognises a browser in which they are signed in.
alter table sessions add column agent text, add column address text;

-- The audit log is read by the person, the connection or the operation as well as by time.
create index audit_entries_by_user on audit_entries (business_id, user_id, created_at);
create index audit_entries_by_connection on audit_entries (business_id, connection_id, created_at)
where connection_id is not null;
create index audit_entries_by_action on audit_entries (business_id, action, created_at);
