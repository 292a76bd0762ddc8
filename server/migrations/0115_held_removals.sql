-- Erasures, merges and removals of domains that a connection ordered, and that wait for 24 hours. They name people by
-- their ids alone.
create table held_removals (
  business_id uuid not null,
  id uuid not null,
  action text not null check (action in ('contact.erase', 'contact.merge', 'domain.remove')),
  contact_id uuid,
  other_contact_id uuid,
  domain text,
  connection_id uuid not null,
  user_id uuid not null,
  call_id uuid,
  ordered_at timestamptz not null,
  due_at timestamptz not null,
  outcome text check (outcome in ('done', 'cancelled', 'gone')),
  ended_at timestamptz,
  primary key (business_id, id)
);
create unique index held_removals_waiting on held_removals (business_id, action, contact_id, other_contact_id, domain)
  nulls not distinct where ended_at is null;
create index held_removals_by_connection on held_removals (business_id, connection_id, ordered_at);
