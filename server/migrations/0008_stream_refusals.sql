-- Refusals of a sender, by a stream of its mail: several within ten minutes pause it.
alter table send_throttles
  add column refusals smallint not null default 0,
  add column refused_since timestamptz;
