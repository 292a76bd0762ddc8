-- Texts beside mail, in the same table: what each channel asks for is in docs/sending.md
-- and docs/sms.md.
alter table messages
  add column channel text not null default 'email' check (channel in ('email', 'sms')),
  -- Of a text: how many parts it takes on the air, once that is known.
  add column segments smallint,
  -- Answers what its recipient has just texted: it goes first, and past the suppressions.
  add column is_reply boolean not null default false,
  -- A reply asks no list.
  alter column recipient_mark drop not null,
  -- What the next hop called it when it took it: receipts name it so.
  add column taken_as text collate "C";
-- Receipts name no business. Not unique: a next hop may begin its names anew.
create index messages_by_taken_as on messages (taken_as) where taken_as is not null;
-- Whom of those that text a number its answer is meant for.
create index messages_by_number on messages (recipient, id) where channel = 'sms';

-- Whom a business's texts are from: a number, a short code or a name. SMS_FROM without it.
alter table businesses add column sms_sender text;

-- The phones of the built-in inbox: what a number got, and what was typed on it.
create table inbox_texts (
  id uuid primary key,
  -- The phone, E.164.
  phone text collate "C" not null,
  -- Who wrote to it, or was written to.
  other text not null,
  is_sent_by_phone boolean not null,
  body text not null,
  segments smallint not null,
  -- The message of a business that it is.
  message_id uuid,
  -- What was reported of it last.
  state text not null check (state in ('taken', 'delivered', 'failed')),
  created_at timestamptz not null
);
create index inbox_texts_by_phone on inbox_texts (phone, id desc);
