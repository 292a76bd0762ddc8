-- What is sealed and what is hashed hangs on a root key, which is sealed by CRIER_SECRET in
-- `installation`. An installation from before has the secret itself as its root key; with one
-- of its sealed values the next start can tell whether it has been given the right one.
insert into installation (key, value, updated_at)
select 'root-key',
  jsonb_build_object('seals', '[]'::jsonb, 'sample', (
    select jsonb_build_object(
      'context', 'signing_keys:' || kid,
      'sealed', encode(sealed_private, 'base64')
    )
    from signing_keys order by number desc limit 1
  )),
  first.created_at
from (
  select created_at from signing_keys union all select created_at from businesses
  order by created_at limit 1
) first;
