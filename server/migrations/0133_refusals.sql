alter table identities
  -- When the provider last refused the person; null once it confirms them again.
  add column refused_at timestamptz;

create index identities_refused on identities (refused_at) where refused_at is not null;

-- When the owners were last told that the provider refuses many people at once.
alter table identity_providers add column refusals_told_at timestamptz;

-- Whether the provider asks its person for consent once more, which gives a refresh token.
alter table provider_sign_ins add column asks_consent boolean not null default false;
