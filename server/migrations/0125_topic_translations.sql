-- What people read in place of a topic's name and description whose pages are in another language.
alter table topics add column translations jsonb not null default '[]';
