-- The latest calls of each connection, for its page. One row holds them all, so that their number
-- is bounded and a flush writes a connection once. They tell what was called and with which
-- outcome, never with which arguments.
create table connection_calls (
  connection_id uuid primary key references connections on delete cascade,
  calls jsonb not null,
  called_at timestamptz not null
);
create index connection_calls_by_time on connection_calls (called_at);

-- The connection of an app may have a limit too; a key always has one.
alter table connections drop constraint connections_are_of_a_client_or_a_key;
alter table connections add constraint connections_are_of_a_client_or_a_key check (
  (client_id is null) = (redirect_uri is null)
  and (client_id is null) = (role is not null)
  and (client_id is not null or recipients_per_day is not null)
);

-- Scopes that a connection was granted and that its owner withholds while it only reads.
alter table connections add column withheld_scopes text[] not null default '{}';
