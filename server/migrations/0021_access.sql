-- What callers may do is read once and kept for seconds: each change is noted here, and whoever
-- keeps something asks at every call whether there is a newer one (docs/decisions/0018). The
-- head's row is held until the change commits, so that numbers become visible in their order.
create table access_head (
  single boolean primary key check (single),
  position bigint not null
);
insert into access_head values (true, 0);

create table access_changes (
  position bigint not null,
  subject uuid not null,
  changed_at timestamptz not null,
  primary key (position, subject)
);
