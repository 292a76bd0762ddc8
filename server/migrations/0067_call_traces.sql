-- The trace of a call, for the deliveries of its events. Nothing is in it where traces are off, and a
-- crash may empty it: then these deliveries begin traces of their own.
create unlogged table call_traces (
  call_id uuid primary key,
  traceparent text not null,
  created_at timestamptz not null
);
create index call_traces_by_age on call_traces (created_at);
