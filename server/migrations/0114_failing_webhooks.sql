-- When the owners were last told that a webhook's receiver fails.
alter table webhooks add column failing_told_at timestamptz;
