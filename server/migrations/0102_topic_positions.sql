-- The place of a topic among the others, from 1; null until somebody orders them, and of topics that came later.
alter table topics add column position integer;
