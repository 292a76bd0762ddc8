-- Jobs and lanes live with their business. The service's own, and those that nodes of the release before queue, have
-- the nil business. The key stays what it was: those nodes write by it.
alter table jobs add column business_id uuid default '00000000-0000-0000-0000-000000000000' not null;
alter table lanes add column business_id uuid default '00000000-0000-0000-0000-000000000000' not null;
