-- By how much a node's clock jumped; null while it is right. Such a node claims no jobs.
alter table nodes add column clock_ahead_ms bigint;
