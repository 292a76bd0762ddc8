-- The id that a person has in the business's own systems: unique in the business, case-sensitive.
alter table contacts add column external_id text;
create unique index contacts_by_external_id on contacts (business_id, external_id)
  where external_id is not null;
