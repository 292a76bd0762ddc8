-- Segments: filters with a name, kept as they were written. Nothing keeps who is in one.
create table segments (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  filter json not null,
  -- Counts changes of the filter.
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept for a day, so that deleting it again says that it is deleted.
  deleted_at timestamptz,
  primary key (business_id, id)
);
create unique index segments_by_name on segments (business_id, lower(name)) where deleted_at is null;
