-- How far the migrations are that fill a large table in batches, beside the service (0052).
create table backfills (
  -- The migration's file.
  name text primary key,
  table_name text not null,
  -- As the planner counted them when it began.
  rows_expected bigint not null,
  -- Rows that were looked at, and how many of them it changed.
  rows_done bigint not null,
  rows_changed bigint not null,
  -- The key of the last one, in the order of the primary key; null before the first batch.
  last_key jsonb,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz
);
