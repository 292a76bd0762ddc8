-- The sequence whose mail a person followed last before they ordered, and what is left of it once retention deletes the orders.
alter table own_events add column sequence_id uuid;
create table sequence_past_revenue (
  business_id uuid not null,
  sequence_id uuid not null,
  -- Empty where none was given.
  currency text not null,
  orders bigint not null,
  refunds bigint not null,
  value numeric not null,
  primary key (business_id, sequence_id, currency)
);
