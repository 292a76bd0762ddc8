-- Which link of its connection's chain a token is, so that refreshes within an hour are limited
-- by looking at one row: the token so many links back was made long enough ago. Chains that
-- there are count from here on.
alter table refresh_tokens add column generation integer not null default 0;

create index refresh_tokens_by_generation on refresh_tokens (connection_id, generation);
drop index refresh_tokens_by_connection;
