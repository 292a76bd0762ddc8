-- The number or name that a started version sends texts from, as it was approved; empty where the provider chooses, null
-- where it sends none, or began earlier.
alter table sequence_versions add column text_sender text;
