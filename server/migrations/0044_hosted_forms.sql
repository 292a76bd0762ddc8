-- What a form's hosted page says and does besides its fields: title, thanks, redirect, sites that
-- may embed it, colour, texts by language. Its own texts only; null in none of them.
alter table forms add column page json not null default '{}';

-- A public address names the form alone; the business is found by it.
create index forms_by_id on forms (id) include (business_id);
