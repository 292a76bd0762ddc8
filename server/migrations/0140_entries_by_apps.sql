-- More people were let into an approved automation by connected apps than reach people without an
-- approval: it pauses at its next turn. Under the lock of the wakes, since events let people in.
alter table sequence_wakes add column is_over_bound boolean not null default false;
alter table sequence_changes add column by_connection boolean not null default false;
alter table sequence_entries add column by_connection boolean not null default false;
