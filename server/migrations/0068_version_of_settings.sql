-- Counts the changes of a business's settings, so that a save made from older ones is noticed.
alter table businesses add column settings_version integer not null default 1;
