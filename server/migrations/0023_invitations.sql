-- Whom an owner has asked to become a member: nobody becomes one without accepting. Rows are
-- pending ones alone; what is accepted, declined or withdrawn is gone.
create table invitations (
  business_id uuid not null references businesses (id),
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, email)
);
create index invitations_by_email on invitations (email);
create index invitations_by_expiry on invitations (expires_at);
