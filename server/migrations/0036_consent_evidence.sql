-- On what consent rests, when the person said it, and on which page of which version of a form.
alter table consent_events add column basis text
  check (basis in ('consent', 'existing_customer'));
alter table consent_events add column said_at timestamptz;
alter table consent_events add column page text;
alter table consent_events add column form_version integer;
