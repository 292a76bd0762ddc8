-- Whose apps and API keys are held in a business: the company's sign-in has refused the person.
alter table memberships add column held_at timestamptz, add column held_by text;

-- Company accounts that signed a person in before they were unlinked: whom an owner removed is recognised
-- by them as well, and does not become a member again as somebody new.
create table past_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  unlinked_at timestamptz not null,
  primary key (issuer, subject, user_id)
);
