-- The relays from which a report on a mail ever came back. Marketing waits for the first one.
create table relay_feedback (
  route text primary key,
  heard_at timestamptz not null,
  source text not null
);
-- The mails that crier doctor --mail sends to addresses that bounce.
create table relay_probes (
  id uuid primary key,
  route text not null,
  sent_at timestamptz not null,
  answered_at timestamptz,
  words text
);
-- Relays that reports came back from before: of a delivery, or of a failure after the acceptance.
insert into relay_feedback (route, heard_at, source)
select known.route, heard.updated_at, 'before this version'
from (select distinct route from send_throttles) known
cross join lateral (
  select m.updated_at from messages m
  where m.channel = 'email' and m.route = known.route and (
    m.state = 'delivered' or (m.state in ('bounced', 'failed') and exists (
      select from message_events e
      where e.business_id = m.business_id and e.message_id = m.id and e.type = 'accepted'
    ))
  )
  limit 1
) heard;
