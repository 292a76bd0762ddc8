-- Whether opens and clicks of transactional mail are recorded. They are for the businesses that exist, as
-- before; a new business has to ask for it.
alter table businesses add column track_transactional boolean not null default true;
alter table businesses alter column track_transactional set default false;
