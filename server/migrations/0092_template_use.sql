-- Words by which people find their templates.
alter table templates add column tags text[] not null default '{}';

-- The template that the content of a campaign was taken from.
alter table campaigns add column from_template uuid;
create index campaigns_from_template on campaigns (business_id, from_template, id)
  where from_template is not null;

-- The single messages of a template, newest first.
create index messages_by_template on messages (business_id, template_id, id)
  where template_id is not null and campaign_id is null;

-- The person who saved a version; null for programs and for versions from before.
alter table template_versions add column user_id uuid;
