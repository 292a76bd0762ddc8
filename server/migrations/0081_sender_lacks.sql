-- What a provider last found missing at the sender, such as `dkim`, and when: its owner is told.
alter table send_throttles
  add column missing text[],
  add column missing_at timestamptz;
create index send_throttles_by_missing on send_throttles (domain) where missing_at is not null;
