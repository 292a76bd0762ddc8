-- Months for which a business keeps each kind of data; a kind that is absent is kept.
alter table businesses add column retention jsonb not null default '{}';

create index businesses_with_retention on businesses (id) where retention <> '{}';

-- The night's work of a business: how far it is, and what it deleted so far.
create table retention_runs (
  business_id uuid primary key references businesses (id),
  night date not null,
  kind text not null,
  after_id uuid,
  deleted jsonb not null default '{}',
  finished_at timestamptz
);

-- Evidence that still holds a network address or the name of a program, oldest first.
create index consent_events_traced on consent_events (business_id, id)
where ip is not null or agent is not null;

create index confirmations_traced on confirmations (business_id, id)
where ip is not null or agent is not null or confirmed_ip is not null
  or confirmed_agent is not null;
