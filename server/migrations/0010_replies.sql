-- What people text to us, and what STOP keeps from them (docs/sms-replies.md).

alter table suppressions drop constraint suppressions_reason_check;
alter table suppressions add constraint suppressions_reason_check
  check (reason in ('erased', 'complaint', 'bounce', 'manual', 'stop'));

-- Who said STOP to which sender, known by the HMAC of both: whoever else writes from that
-- sender, now or one day, does not write to them.
create table stopped_numbers (
  mark bytea primary key,
  created_at timestamptz not null
);

-- When a number was last answered by a sender, each known as above: STOP and START are
-- confirmed once in a while, and so is HELP.
create table text_answers (
  mark bytea not null,
  kind text not null check (kind in ('confirmation', 'help')),
  answered_at timestamptz not null,
  primary key (mark, kind)
);
create index text_answers_by_age on text_answers (answered_at);

-- Texts that were taken: a provider may bring each more than once.
create table taken_texts (
  identity bytea primary key,
  created_at timestamptz not null
);
create index taken_texts_by_age on taken_texts (created_at);

create table replies (
  business_id uuid not null,
  id uuid not null,
  -- Who wrote it and to which of our numbers.
  phone text collate "C" not null,
  sender text not null,
  contact_id uuid,
  body text not null,
  meaning text not null check (meaning in ('stop', 'start', 'help', 'opt_out', 'other')),
  -- Of what may be an opt-out: whether a person has looked at it.
  review text check (review in ('open', 'opted_out', 'kept')),
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id)
);
create index replies_to_review on replies (business_id, id) where review = 'open';
create index replies_by_age on replies (created_at);

create index businesses_by_sms_sender on businesses (sms_sender) where sms_sender is not null;
-- What HELP is answered beside the name.
alter table businesses add column sms_help text;
