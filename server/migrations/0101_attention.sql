-- How much marketing a person gets.

-- The business's caps as JSON: max, per, gap, priority. Null for none.
alter table businesses add column attention json;

-- What people chose for themselves on the page of their preferences.
create table contact_attention (
  business_id uuid not null,
  contact_id uuid not null,
  -- At most so many messages in so many days; null for no cap of their own.
  max smallint,
  per_days smallint,
  paused_until timestamptz,
  updated_at timestamptz not null,
  primary key (business_id, contact_id)
);

alter table sequence_entries
  -- Whether the next step sends marketing.
  add column sends_next boolean default false not null,
  -- For when a message that waits was meant; null where that is due_at.
  add column meant_at timestamptz;
