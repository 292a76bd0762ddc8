-- The public archive of a business: {on, title, description}; `archive_changed_at` is when a feed of it
-- last changed by a choice. A campaign is in it only if somebody says so, and once it is sent.
alter table businesses
  add column archive jsonb not null default '{}',
  add column archive_changed_at timestamptz;
alter table campaigns add column in_archive boolean not null default false;
create index campaigns_in_archive on campaigns (business_id, deployed_at desc, id desc)
  where in_archive and state = 'completed';
