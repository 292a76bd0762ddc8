-- For how many people the calls of an OAuth connection recorded consent on the latest day (UTC) on which they did, so
-- that the owners are told of many.
create table connection_consents (
  business_id uuid not null,
  connection_id uuid not null references connections (id) on delete cascade,
  day date not null,
  people integer not null,
  primary key (business_id, connection_id)
);
