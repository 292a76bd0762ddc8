-- Whether people of the proven domains sign in there alone, and the passkey of an owner that still
-- counts when the provider is down.
alter table identity_providers
  add column is_only boolean not null default false,
  add column break_glass_passkey uuid,
  add constraint identity_providers_break_glass_check
    check (not is_only or break_glass_passkey is not null);
