-- Header fields that a call of email.send chooses (from, reply-to, cc, threading, X-), and the
-- message that a copy belongs to. Null for nearly every message, so that neither costs a row
-- anything.
alter table message_contents add column header_fields jsonb, add column copy_of uuid;

create index message_contents_copies on message_contents (business_id, copy_of)
  where copy_of is not null;
