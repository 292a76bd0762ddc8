-- The subject of each variant beside it, so that lists show and search it without reading mails.
alter table campaign_variants add column subject text;
update campaign_variants v set subject = t.source->>'subject'
from template_versions t where t.business_id = v.business_id and t.id = v.template_version_id;
