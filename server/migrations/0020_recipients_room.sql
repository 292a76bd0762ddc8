-- A recipient's row changes twice or thrice in minutes. An index that named its state had every
-- change written to all indexes; one that names what stays leaves the row within its page, where
-- there is room for it.
alter table campaign_recipients
  add column in_doubt boolean generated always as (case when state = 'unknown' then true end) stored;
alter table campaign_recipients set (fillfactor = 45);
drop index campaign_recipients_unknown;
create index campaign_recipients_unknown on campaign_recipients (business_id, campaign_id, contact_id)
  where in_doubt;
