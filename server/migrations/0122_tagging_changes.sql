-- What a tagging changed, so that it can be undone for as long as the tagging is kept. An undo deletes
-- the rows that it has taken back.
create table tagging_changes (
  business_id uuid not null,
  tagging_id uuid not null,
  contact_id uuid not null,
  -- The tags that the contact had not had before, and those that it lost.
  added text[] not null,
  removed text[] not null,
  primary key (business_id, tagging_id, contact_id)
);

alter table taggings add column undo_asked_at timestamptz;
alter table taggings add column undo_finished_at timestamptz;
-- Contacts that an undo changed.
alter table taggings add column undone bigint not null default 0;
