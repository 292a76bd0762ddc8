-- Erasing a person blanks what is kept of him; of an event the fact alone stays.
alter table events add column erased_at timestamptz;

-- Contacts that are no more: erased, or made part of another. Ids alone.
create table former_contacts (
  business_id uuid not null,
  id uuid not null,
  -- The contact that it is part of now; null of an erased one.
  became uuid,
  ended_at timestamptz not null,
  primary key (business_id, id)
);
create index former_contacts_by_heir on former_contacts (business_id, became);
