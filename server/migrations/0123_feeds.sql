-- Feeds: a blog, or another list that grows, by mail. Their items, and the issues that were made of them.

create table feeds (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'awaiting_approval', 'running', 'paused')),
  -- The definition that was saved last, and how often it was saved.
  definition json not null,
  version integer not null,
  -- What was started and approved: the definition, its hosts, the sender and the bounds; null before.
  started json,
  pause_reason text,
  -- An order that waits for a person.
  wanted json,
  -- When it is fetched next, and when the next issue is due.
  due_at timestamptz,
  issue_at timestamptz,
  -- Null until its items were read once after a start: what was there then is not news.
  begun_at timestamptz,
  checked_at timestamptz,
  -- What became of the last look: items, empty, waiting, broken.
  outcome text,
  problem text,
  failures integer default 0 not null,
  etag text,
  last_modified text,
  title text,
  -- The number of the newest item, and of issues.
  last_seq integer default 0 not null,
  issues integer default 0 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (business_id, id)
);
create unique index feeds_by_name on feeds (business_id, lower(name)) where deleted_at is null;

-- Every item that was ever seen. The hashes stay for ever; the words go when they are no longer needed.
create table feed_items (
  business_id uuid not null,
  feed_id uuid not null,
  seq integer not null,
  guid_hash bytea not null,
  -- Of its link and title, by which an item with another guid is known again.
  twin_hash bytea not null,
  -- The issue that it went into; null for none.
  issue integer,
  item json,
  seen_at timestamptz not null,
  primary key (business_id, feed_id, seq)
);
create unique index feed_items_by_guid on feed_items (business_id, feed_id, guid_hash);
create index feed_items_by_twin on feed_items (business_id, feed_id, twin_hash);

-- One row for each mail that was made of a feed. The mail itself is a campaign.
create table feed_issues (
  business_id uuid not null,
  feed_id uuid not null,
  number integer not null,
  campaign_id uuid not null,
  -- Why it waits for a person; null if it did not have to.
  waits_for text,
  created_at timestamptz not null,
  primary key (business_id, feed_id, number)
);

-- The feed that a campaign is an issue of.
alter table campaigns add column feed_id uuid;
