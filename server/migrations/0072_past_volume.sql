-- What the owner of a domain sent from it a day before they came here, and what the operator answered.
-- Only the last statement is kept; the audit log has the others.
alter table domains
  add column volume_stated integer,
  add column volume_note text,
  add column volume_stated_at timestamptz,
  add column volume_approved integer,
  add column volume_answer text,
  add column volume_decided_at timestamptz;
create index domains_by_waiting_volume on domains (business_id, volume_stated_at)
  where volume_stated_at is not null and volume_decided_at is null;

-- How many days of the warm-up a provider skips that gets the domain's first mail. Only in rows of the
-- provider '*'. A date would let such a provider skip more with each day that passes.
alter table send_throttles add column head_start smallint;
