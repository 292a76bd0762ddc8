-- First and last names, beside the whole name. Only what somebody gave: a whole name is never split.
alter table contacts add column first_name text;
alter table contacts add column last_name text;
-- A search finds the beginning of either.
create index contacts_by_first_name on contacts (business_id, lower(first_name) collate "C")
  where first_name is not null;
create index contacts_by_last_name on contacts (business_id, lower(last_name) collate "C")
  where last_name is not null;
