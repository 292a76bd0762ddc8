-- Parts of long texts that people send: each is kept before its provider is told that it was
-- taken, and all go together when the text is whole, or minutes later as far as it came.
create table text_parts (
  phone text not null,
  sender text not null,
  reference integer not null,
  total smallint not null,
  part smallint not null,
  -- UTF-16: a part may end in the middle of what one character is made of.
  body bytea not null,
  received_at timestamptz not null,
  primary key (phone, sender, reference, total, part)
);
create index text_parts_by_age on text_parts (received_at);
