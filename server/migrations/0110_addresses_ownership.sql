-- A person changes their address: both mailboxes confirm, and the old one can undo it for 7 days.
create table address_changes (
  id uuid primary key,
  user_id uuid not null references users (id),
  old_email text not null,
  new_email text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  done_at timestamptz,
  undone_at timestamptz
);
create index address_changes_by_user on address_changes (user_id, asked_at);
create index address_changes_by_expiry on address_changes (expires_at);

-- An owner offers a business to a member, who accepts it.
create table ownership_offers (
  business_id uuid primary key references businesses (id),
  from_user uuid not null references users (id),
  to_user uuid not null references users (id),
  offered_at timestamptz not null,
  expires_at timestamptz not null
);

-- The country of the network from which a person signed in, as a proxy's header says it.
alter table sessions add column country text;
