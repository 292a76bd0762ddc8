-- What an owner signed for a connection: within these terms it sends without asking.
create table mandates (
  business_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  terms json not null,
  signed_by uuid not null,
  signed_at timestamptz not null,
  ends_at timestamptz not null,
  paused_at timestamptz,
  ended_at timestamptz,
  primary key (business_id, id)
);
create unique index mandates_in_force on mandates (business_id, connection_id) where ended_at is null;

-- What was ordered under a mandate: a campaign with its recipients at its time, or an automation with the most people
-- of a week, for as long as it goes on.
create table mandate_orders (
  business_id uuid not null,
  object_id uuid not null,
  mandate_id uuid not null,
  kind text not null check (kind in ('campaign', 'sequence')),
  people integer not null,
  at timestamptz not null,
  primary key (business_id, object_id)
);
create index mandate_orders_by_mandate on mandate_orders (business_id, mandate_id, at);
