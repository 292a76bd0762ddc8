-- Since when the provider of a company is this one: another save changes its roles or its name, and lets nobody
-- back in whom it refused.
alter table identity_providers add column provider_since timestamp with time zone;
