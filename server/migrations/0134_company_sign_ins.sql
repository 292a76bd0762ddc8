-- Whom an owner removed. A company sign-in makes them no member again; an owner's invitation does.
create table removed_members (
  business_id uuid not null references businesses (id),
  user_id uuid not null references users (id),
  -- Their address by then, since whoever has changed it since may sign in as somebody new.
  email text not null,
  removed_at timestamptz not null,
  primary key (business_id, user_id)
);

-- The further scopes that a sign-in does without; null: those that its provider is known to refuse.
-- After a refusal of the provider, those that the next one of the same browser does without.
alter table provider_sign_ins add column lacks_scopes text[];
create index provider_sign_ins_by_browser on provider_sign_ins (browser_hash);
