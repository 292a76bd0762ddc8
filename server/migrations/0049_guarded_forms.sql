-- A form whose confirmation mails stay unanswered is guarded against abuse: few mails an hour, the
-- rest held. `guarded_until` is null while it lasts; both are null in a form that never was.
alter table forms add column guarded_since timestamptz;
alter table forms add column guarded_until timestamptz;

-- The form that a confirmation came by.
alter table confirmations add column form_id uuid;
-- No challenge was solved on a guarded form: the mail waits for a person's release.
alter table confirmations add column unproven boolean not null default false;
-- Since when the mail is held; null again once it is released.
alter table confirmations add column held_at timestamptz;
alter table confirmations add column released_at timestamptz;
create index confirmations_by_form on confirmations (business_id, form_id, created_at)
  where form_id is not null;
