-- What far ends reported of messages, each once: a copy of a report leaves nothing.
create table delivery_reports (
  business_id uuid not null,
  identity bytea not null,
  created_at timestamptz not null,
  primary key (business_id, identity)
);
create index delivery_reports_by_age on delivery_reports (created_at);

-- Failures in a row that were the moment's fault, by the address as suppressions know it.
create table soft_bounces (
  business_id uuid not null,
  address_hmac bytea not null,
  count integer not null,
  last_at timestamptz not null,
  primary key (business_id, address_hmac)
);
create index soft_bounces_by_age on soft_bounces (last_at);

-- Where links in mail lead. A click's token names the row by the hash of its URL, the first
-- 16 bytes of its SHA-256, so that the same link of a business is one row.
create table tracked_links (
  business_id uuid not null,
  hash bytea not null,
  url text not null,
  -- When a message last carried it.
  used_at timestamptz not null,
  primary key (business_id, hash)
);
create index tracked_links_by_use on tracked_links (used_at);

-- Clicks, until it can be told whether a machine did them, and a little longer.
create table link_visits (
  business_id uuid not null,
  message_id uuid not null,
  id uuid not null,
  -- Null: the link that no person sees.
  link_hash bytea,
  -- How many links the message has.
  links smallint not null,
  -- Who came, as an HMAC of network and agent.
  visitor bytea not null,
  -- A machine by its own words.
  machine boolean not null,
  visited_at timestamptz not null,
  judged_at timestamptz,
  primary key (business_id, message_id, id)
);
create index link_visits_by_age on link_visits (visited_at);
create index link_visits_to_judge on link_visits (visited_at) where judged_at is null;

-- Whether mail of a business tells of opens and clicks. A message can say no for itself.
alter table businesses add column track_opens boolean not null default true;
alter table businesses add column track_clicks boolean not null default true;
alter table message_contents add column track_opens boolean not null default true;
alter table message_contents add column track_clicks boolean not null default true;
