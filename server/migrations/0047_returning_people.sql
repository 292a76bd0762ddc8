-- An erased person who asks to come back by a form is asked by mail to confirm it. There is no
-- contact before they do: contact_id is the id that it would get.
alter table confirmations add column is_return boolean not null default false;

create unique index confirmations_open_return on confirmations (business_id, address)
where is_return and confirmed_at is null and ended_at is null;
