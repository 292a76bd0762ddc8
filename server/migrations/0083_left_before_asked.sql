-- When a person left whom the call of an OAuth connection would have brought back: a mail asks them, and until they
-- press its button their no counts, though their consent is `pending`.
alter table confirmations add column left_at timestamptz;
