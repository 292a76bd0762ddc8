-- The processes of the installation, and what they did in each ten minutes of the last two days, for
-- the operator's page.
create table nodes (
  id uuid primary key,
  role text not null check (role in ('api', 'worker', 'all')),
  host text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  stopped_at timestamptz
);

create table node_work (
  slot timestamptz not null,
  what text not null,
  amount bigint not null,
  primary key (slot, what)
);
