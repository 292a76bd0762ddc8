-- Emails that an assistant wrote one by one, until a person has approved or refused each.
create table proposals (
  business_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  contact_id uuid not null,
  kind text not null check (kind in ('transactional', 'marketing')),
  subject text,
  body text,
  state text not null check (state in ('waiting', 'approved', 'sent', 'refused', 'failed', 'cancelled')),
  reason text,
  message_id uuid,
  connection_id uuid,
  user_id uuid not null,
  call_id uuid,
  proposed_at timestamptz not null,
  decided_at timestamptz,
  sent_at timestamptz,
  primary key (business_id, id)
);
create index proposals_by_batch on proposals (business_id, batch_id, id);
create index proposals_by_contact on proposals (business_id, contact_id, sent_at);
create index proposals_waiting on proposals (business_id) where state = 'waiting';
