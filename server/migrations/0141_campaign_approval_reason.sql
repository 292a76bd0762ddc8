-- Why a campaign waits for a person, where it is not how many get it: what an app changed meanwhile.
alter table campaigns add column approval_reason text
  check (approval_reason in ('changed_by_app'));
