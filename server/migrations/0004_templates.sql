-- Templates: a name, and the version that is sent now.
create table templates (
  business_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  name text not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id)
);

-- Versions are never changed: what was sent can be looked up. The compiled form is what is
-- rendered for each recipient.
create table template_versions (
  business_id uuid not null,
  template_id uuid not null,
  version integer not null,
  id uuid not null,
  source json not null,
  compiled json not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  primary key (business_id, template_id, version)
);
create unique index template_versions_by_id on template_versions (business_id, id);
