-- The address that a started version sends from, as it was approved; null where it sends no email, or began earlier.
alter table sequence_versions add column sender text;
