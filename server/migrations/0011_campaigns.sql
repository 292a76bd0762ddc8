-- Addresses as suppressions know them, so that one statement tells who may be written to.
-- Set with the address; rows from before are marked when they are first asked about.
alter table contacts add column email_mark bytea;
alter table contacts add column phone_mark bytea;
create index contacts_to_mark on contacts (business_id, id)
  where (email is not null and email_mark is null) or (phone is not null and phone_mark is null);

-- Recipients up to which a connection deploys alone; beyond, a member approves. Null: no limit.
alter table businesses add column deploy_limit integer default 1000;

-- What a campaign says is a template of its own, which lists do not show.
alter table templates add column campaign_id uuid;
create index templates_of_business on templates (business_id, id) where campaign_id is null;

-- Campaigns: one message to many. Their states are drawn in docs/campaigns.md.
create table campaigns (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  channel text not null check (channel in ('email', 'sms')),
  state text not null check (state in ('draft', 'scheduled', 'awaiting_approval', 'deployed',
    'paused', 'completed', 'cancelled')),
  -- Whom it is for, as it was asked: tags, days without marketing.
  audience json not null,
  -- Counts changes of what it says and whom it is for.
  version integer not null,
  written_by text not null check (written_by in ('caller', 'model', 'built_in')),
  -- When it becomes deployed; null for at once.
  send_at timestamptz,
  -- The hour on everybody's own clock, such as 2026-11-30T09:00; send_at is then the first such.
  send_local text,
  zone_mode text not null check (zone_mode in ('business', 'recipient')),
  throttle_per_minute integer,
  -- What was bound when it was deployed or approved.
  plan json,
  plan_hash text,
  -- As planned; once frozen_at is set, as frozen.
  recipients integer,
  pause_reason text,
  -- By whose call it was deployed.
  connection_id uuid,
  call_id uuid,
  -- Who approved or refused it.
  approval text check (approval in ('asked', 'approved', 'refused')),
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deployed_at timestamptz,
  frozen_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  primary key (business_id, id)
) with (fillfactor = 80);
create index campaigns_by_state on campaigns (business_id, state, id);

-- What it says, in one way or several.
create table campaign_variants (
  business_id uuid not null,
  campaign_id uuid not null,
  position smallint not null,
  template_id uuid not null,
  template_version_id uuid not null,
  -- Parts of those who get it; all together are the whole.
  share smallint not null,
  primary key (business_id, campaign_id, position)
);

-- Everybody who was looked at when the audience was frozen, those left out with the reason.
create table campaign_recipients (
  business_id uuid not null,
  campaign_id uuid not null,
  contact_id uuid not null,
  state text not null check (state in ('pending', 'taken', 'sent', 'delivered', 'bounced',
    'failed', 'unknown', 'skipped', 'cancelled')),
  reason text,
  -- What of the audience's description fits the contact.
  clause text,
  variant smallint,
  message_id uuid,
  due_at timestamptz,
  updated_at timestamptz not null,
  primary key (business_id, campaign_id, contact_id)
) with (fillfactor = 80);

-- What came of it, counted in batches: sent, delivered, skipped:REASON and so on.
create table campaign_counts (
  business_id uuid not null,
  campaign_id uuid not null,
  variant smallint not null,
  metric text not null,
  amount bigint not null,
  primary key (business_id, campaign_id, variant, metric)
) with (fillfactor = 70);
