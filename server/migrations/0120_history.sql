-- History that ends: what is kept of each person and campaign once its rows are deleted.

-- What a person got and did in rows that retention deleted.
create table contact_past (
  business_id uuid not null,
  contact_id uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Messages sent; of people alone, without opens and clicks by machines.
  sent integer not null default 0,
  opened integer not null default 0,
  clicked integer not null default 0,
  -- Events of the business's own, such as orders.
  own_events integer not null default 0,
  primary key (business_id, contact_id)
);

-- Who followed a link, of those whose rows were deleted.
alter table campaign_links add column people integer not null default 0,
  add column machines integer not null default 0;

-- When retention had deleted who got the campaign; its totals stay.
alter table campaigns add column recipients_deleted_at timestamptz;

-- Revenue of a campaign by events that were deleted. The currency is '' for a value without one.
create table campaign_past_revenue (
  business_id uuid not null,
  campaign_id uuid not null,
  currency text not null,
  orders bigint not null,
  refunds bigint not null,
  value numeric not null,
  primary key (business_id, campaign_id, currency)
);

-- Since when a business still has its history and its own events; null: nothing was deleted.
alter table retention_runs add column history_from timestamptz, add column events_from timestamptz;
