-- Test mode: a test key's calls act in a hidden twin of its business, which has the settings of the live one and no
-- members. Its id is the live id as a uuid of version 8, so that code knows a twin by its id.
alter table businesses add column test_of uuid references businesses (id);
create unique index businesses_by_live on businesses (test_of) where test_of is not null;
alter table connections add column is_test boolean not null default false;
