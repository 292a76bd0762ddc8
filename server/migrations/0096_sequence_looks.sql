-- Entry into sequences by a date or a segment, which the service asks for by itself.

alter table sequence_wakes
  -- When the dates, or the people who changed, were looked at last.
  add column looked_at timestamptz,
  -- When the whole segment was asked last.
  add column asked_whole_at timestamptz;

-- The filter of the segment by which people enter, as it was at the start.
alter table sequence_versions add column segment json;

-- Who was in the segment when it was asked last.
create table sequence_members (
  business_id uuid not null,
  sequence_id uuid not null,
  contact_id uuid not null,
  primary key (business_id, sequence_id, contact_id)
);
create index sequence_members_by_contact on sequence_members (business_id, contact_id);

-- Who changed or did something since the segments of sequences were asked.
create table sequence_changes (
  business_id uuid not null,
  sequence_id uuid not null,
  contact_id uuid not null,
  -- Whether the person was created by an import.
  imported boolean not null,
  primary key (business_id, sequence_id, contact_id)
);
create index sequence_changes_by_contact on sequence_changes (business_id, contact_id);
