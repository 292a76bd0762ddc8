-- A business that its owner or the operator closed. It can be taken back until its deletion begins.
alter table businesses add column closed_at timestamptz;

-- The last closing of each business. It outlives the business, as the certificate of what was deleted.
create table business_closings (
  id uuid primary key,
  name text not null,
  -- Of the mails about it, which are sent after the business's own row is gone.
  language text not null,
  closed_at timestamptz not null,
  -- Null for the operator.
  closed_by uuid,
  -- The owners at that moment, who may take it back and get the certificate.
  owners uuid[] not null,
  keeps_suppressions boolean not null,
  delete_at timestamptz not null,
  reopened_at timestamptz,
  deletion_began_at timestamptz,
  -- Where the deletion is: the table, and the key of the last deleted row.
  position jsonb,
  -- The number of deleted rows by table.
  deleted jsonb not null default '{}',
  deleted_at timestamptz,
  -- When the addresses of its links ended too.
  removed_at timestamptz
);

-- A stop that holds every message, except the answers to STOP and HELP; the operator has no user.
alter table sending_stops add column all_messages boolean not null default false;
alter table sending_stops alter column stopped_by drop not null;
