-- Who saved a campaign's draft, a form, a template or a segment last. It is told to people who had
-- read an older version and want to save over it.
create table last_saves (
  business_id uuid not null,
  object_id uuid not null,
  user_id uuid,
  connection_id uuid,
  saved_at timestamptz not null,
  primary key (business_id, object_id)
);
