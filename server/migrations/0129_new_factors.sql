-- Until when a first factor that was set up with the mailbox alone does not count; null: it counts.
alter table users add column factor_waits_until timestamptz;
