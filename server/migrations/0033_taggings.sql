-- Tags given to everybody whom a filter fits, or taken from them, a range of contacts each turn.
create table taggings (
  business_id uuid not null,
  id uuid not null,
  -- With those of its segments.
  filter json not null,
  add_tags text[] not null,
  remove_tags text[] not null,
  -- Contacts there were when it began; how many of them it has looked at, and what became of them.
  contacts bigint not null,
  looked bigint not null,
  changed bigint not null,
  refused bigint not null,
  -- The oldest that it has looked at; it goes from the newest of its beginning on.
  looked_to uuid,
  -- By the moment of which its days are counted, and its zone.
  asked_at timestamptz not null,
  finished_at timestamptz,
  connection_id uuid,
  call_id uuid,
  primary key (business_id, id)
);
