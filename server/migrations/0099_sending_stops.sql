-- What a person has stopped in a business: a connection (stopped_id is its id), or all marketing (the id of the business
-- itself), then with the messages of connections and keys where they chose that.
create table sending_stops (
  business_id uuid not null,
  stopped_id uuid not null,
  with_messages boolean not null default false,
  stopped_by uuid not null,
  stopped_at timestamptz not null,
  primary key (business_id, stopped_id)
);
