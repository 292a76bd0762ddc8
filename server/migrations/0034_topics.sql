-- What a business writes about: people may choose topics, and leave one without leaving all.
create table topics (
  business_id uuid not null,
  key text not null,
  name text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Offered to nobody any more; what people said of it stays.
  archived_at timestamptz,
  primary key (business_id, key)
);
-- By channel and topic, subscribed or unsubscribed; what is absent was never said.
alter table contacts add column topics jsonb not null default '{}';
-- The topic that was spoken of; null for the whole channel.
alter table consent_events add column topic text;
-- What a campaign, and each of its messages, is about.
alter table campaigns add column topic text;
alter table messages add column topic text;
