-- Why an attempt was made beside the schedule: 'retry', an extra one that a caller asked for, or 'test'. Null for
-- attempts of the schedule, and for tests from before.
alter table webhook_attempts add column cause text;
