-- How the box of a form stood when its consent was given; null where no form asked for it.
alter table consent_events add column box text check (box in ('ticked', 'sent'));

alter table confirmations add column box text check (box in ('ticked', 'sent'));
