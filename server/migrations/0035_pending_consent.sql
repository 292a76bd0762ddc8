-- Asked for by mail and not confirmed yet: nobody is written to by it.
alter table contacts drop constraint contacts_email_consent_check;
alter table contacts add constraint contacts_email_consent_check
  check (email_consent in ('none', 'pending', 'subscribed', 'unsubscribed'));
alter table consent_events drop constraint consent_events_action_check;
alter table consent_events add constraint consent_events_action_check
  check (action in ('none', 'pending', 'subscribed', 'unsubscribed'));
-- What the mail asks a person to confirm, and what came of it.
create table confirmations (
  business_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- To which the mail goes: a contact that has another one by then is not confirmed by it.
  address text not null,
  topics text[],
  source text not null,
  text text,
  ip inet,
  agent text,
  -- The contact came with it, and is deleted where nobody confirms and nothing else was said of it.
  made_contact boolean not null,
  connection_id uuid,
  call_id uuid,
  asked_at timestamptz not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  reminded_at timestamptz,
  confirmed_at timestamptz,
  confirmed_ip inet,
  confirmed_agent text,
  -- Given up: too old, or the contact is gone.
  ended_at timestamptz,
  primary key (business_id, id)
);
create unique index confirmations_open on confirmations (business_id, contact_id)
  where confirmed_at is null and ended_at is null;
-- The confirmation that a row rests on: its mail, its moment and who pressed the button.
alter table consent_events add column confirmation_id uuid;
