-- When the claim was made that holds a job: what was begun under it is named by its lease and
-- shown with this time, without a row of its own.
alter table jobs add column claimed_at timestamptz;
