-- What filters ask of behaviour: which message, campaign, form or link an activity was about.
alter table contact_activity
  add column message_id uuid,
  -- Of the message.
  add column campaign_id uuid,
  add column channel text,
  add column form_id uuid,
  -- Of a click: the first 16 bytes of SHA-256 of the URL.
  add column link_hash bytea,
  -- Of an open or a click: no person did it.
  add column machine boolean;

-- The uuid behind `msg_…`: 26 characters of Crockford's base32, five bits each, of 130 the last 128.
create function pg_temp.uuid_of(id text) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(substr(bits, 3, 64)::bit(64)::bigint), 16, '0')
    || lpad(to_hex(substr(bits, 67, 64)::bit(64)::bigint), 16, '0'))::uuid
  from (
    select string_agg(
      (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, n, 1)) - 1)::bit(5)::text, '' order by n
    ) as bits
    from generate_series(5, 30) as n
  ) as spelt
$$;

update contact_activity a
set message_id = m.id, campaign_id = m.campaign_id, channel = m.channel,
  machine = (a.details ->> 'machine')::boolean
from messages m
where a.type like 'message.%' and m.business_id = a.business_id
  and m.id = pg_temp.uuid_of(a.details ->> 'message_id');
update contact_activity set channel = 'sms' where type = 'text.received';
update contact_activity set form_id = pg_temp.uuid_of(details ->> 'form_id')
where type = 'form.submitted';
update contact_activity a
set link_hash = substr(sha256(convert_to(e.url, 'UTF8')), 1, 16)
from message_events e
where a.type = 'message.clicked' and e.business_id = a.business_id
  and e.message_id = a.message_id and e.created_at = a.created_at and e.type = 'clicked';

-- Not of what every message and every change of a contact writes, which would cost it a sixth.
create index contact_activity_by_type on contact_activity (business_id, type, created_at, contact_id)
  include (machine)
  where type in ('message.opened', 'message.clicked', 'message.bounced', 'text.received',
    'form.submitted');
create index contact_activity_by_campaign
  on contact_activity (business_id, campaign_id, type, contact_id)
  include (machine) where campaign_id is not null;

-- A campaign and a form are one business's: without this a small one's are taken for next to
-- none, and what is joined to them is read row by row.
create statistics contact_activity_owners (dependencies)
  on business_id, campaign_id, form_id from contact_activity;

-- What a business tells of its contacts by contact.track: orders, visits, whatever it names.
create table own_events (
  business_id uuid not null,
  -- SHA-256 of the id that the business gave it, or of one made here: it is taken once.
  key bytea not null,
  id uuid not null,
  contact_id uuid not null,
  name text not null,
  happened_at timestamptz not null,
  value numeric,
  currency text,
  properties json not null,
  -- The campaign of the last link that the person followed shortly before.
  campaign_id uuid,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, key)
);
create index own_events_by_contact on own_events (business_id, contact_id, id);
create index own_events_by_name on own_events (business_id, name, happened_at, contact_id)
  include (value);
create index own_events_by_campaign on own_events (business_id, campaign_id)
  where campaign_id is not null;

-- When the audience was first asked: all turns of a freeze count their days from there.
alter table campaign_runs add column asked_at timestamptz;
