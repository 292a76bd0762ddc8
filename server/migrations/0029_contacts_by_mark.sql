-- The list of suppressions knows addresses by their marks alone, and shows whose they are.
create index contacts_by_email_mark on contacts (business_id, email_mark)
  where email_mark is not null;
create index contacts_by_phone_mark on contacts (business_id, phone_mark)
  where phone_mark is not null;
