-- Suppressions by the rule before this release, which took refusals of the sender for those of an
-- address: `messages/reports/judge-again.ts` judges each once more by the server's words. Lists from
-- elsewhere were judged elsewhere.
create table bounce_reviews (
  business_id uuid not null,
  -- The address as suppressions know it.
  address_hmac bytea not null,
  suppressed_at timestamptz not null,
  -- Null until it is judged. One that stands after judging has no row.
  outcome text check (outcome in ('lifted', 'not_judgeable')),
  reviewed_at timestamptz,
  primary key (business_id, address_hmac)
);
create index bounce_reviews_waiting on bounce_reviews (business_id) where outcome is null;
-- The ledger of opt-outs outside the database tells of those that were lifted.
create index bounce_reviews_lifted on bounce_reviews (reviewed_at) where outcome = 'lifted';

insert into bounce_reviews (business_id, address_hmac, suppressed_at)
select business_id, address_hmac, created_at from suppressions
where channel = 'email' and reason = 'bounce' and source not in ('import', 'suppression.import');
