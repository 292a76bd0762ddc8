-- How far the replays of a webhook are: the events that were asked for, and those queued again so far.
alter table webhooks add column replay_at timestamptz;
alter table webhooks add column replay_total integer not null default 0;
alter table webhooks add column replay_done integer not null default 0;
