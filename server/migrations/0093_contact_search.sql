-- What people are searched by: their names, addresses and own fields as plain words, written by a job
-- behind the writes. The index finds any part of it.
create table contact_search (
  business_id uuid not null,
  contact_id uuid not null,
  words text not null,
  primary key (business_id, contact_id)
);

-- Where the server does not offer the extensions, or the role may not create them, people are searched
-- by the beginning of a name, an address or a number.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index contact_search_by_words on contact_search using gin (business_id, words gin_trgm_ops);
exception
  when undefined_file or undefined_object or feature_not_supported or insufficient_privilege then
    raise notice 'search finds beginnings only: pg_trgm and btree_gin are not available';
end
$$;

-- Up to which contact the people of a business who were saved before are searchable; null for all.
alter table businesses add column searchable_to uuid;
update businesses set searchable_to = '00000000-0000-0000-0000-000000000000';
create index businesses_to_search on businesses (id) where searchable_to is not null;
