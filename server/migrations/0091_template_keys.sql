-- The name by which programs address a template in every environment.
alter table templates add column key text;
create unique index templates_by_key on templates (business_id, key) where key is not null;
