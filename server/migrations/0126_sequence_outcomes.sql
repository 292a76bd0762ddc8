-- Whether people reached the goal of a sequence that holds some out, each counted once, as they were first assigned.

create table sequence_outcomes (
  business_id uuid not null,
  sequence_id uuid not null,
  contact_id uuid not null,
  -- The first entry, by whose version and event the goal is judged.
  entry_id uuid not null,
  is_holdout boolean not null,
  entered_at timestamptz not null,
  -- When the goal is judged, equally long after each entry; null once it was.
  judge_at timestamptz,
  reached boolean,
  primary key (business_id, sequence_id, contact_id)
);
create index sequence_outcomes_due on sequence_outcomes (business_id, sequence_id, judge_at)
  where judge_at is not null;
create index sequence_outcomes_by_contact on sequence_outcomes (business_id, contact_id);
