/** What company sign-ins leave to the operator: businesses without an owner, and mass refusals. */
import { formatId, type Id } from '../core/ids.ts'
import { refusalsOfMany } from '../core/provider-refusals.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Finding, warn } from './finding.ts'

const mostNamed = 3

/**
 * Businesses whose only owners were refused by their company, and have not signed in since, while
 * others still work there.
 */
export async function ownersFinding(db: Db): Promise<Finding | undefined> {
  const rows = await db.all<{ id: Id<'business'> }>(sql`
    with gone as (
      select i.user_id from identities i join users u on u.id = i.user_id
      where i.refused_at is not null and i.refresh_token is null
        and i.refused_at > coalesce(u.last_signed_in_at, '-infinity')
    )
    select distinct m.business_id as id
    from gone join memberships m on m.user_id = gone.user_id and m.role = 'owner'
    join businesses b on b.id = m.business_id and b.closed_at is null
    where not exists (
      select from memberships o
      where o.business_id = m.business_id and o.role = 'owner'
        and o.user_id not in (select user_id from gone)
    ) and exists (
      select from memberships o
      where o.business_id = m.business_id and o.user_id not in (select user_id from gone)
    )
    order by 1
  `)
  if (rows.length === 0) return undefined
  const ids = rows.slice(0, mostNamed).map(({ id }) => formatId('business', id))
  const businesses = ids.join(', ') + (rows.length > mostNamed ? ', …' : '')
  const count = rows.length === 1 ? '1 business has' : `${rows.length} businesses have`
  return warn(
    'owners',
    `${count} no owner left, as their company refuses each: ${businesses}`,
    'Ask its admins who should be the owner, then run crier users add EMAIL --business BUSINESS --role owner.',
  )
}

/** Where the provider of the settings refuses most people; the owners of a business with its own are mailed. */
export async function refusalsFinding(
  db: Db,
  { issuer, now }: { issuer: string | undefined; now: Date },
): Promise<Finding | undefined> {
  if (issuer === undefined) return undefined
  const rows = await refusalsOfMany(db, { issuer, providerId: null }, now)
  if (rows.length === 0) return undefined
  const named = rows
    .slice(0, mostNamed)
    .map(
      (row) => `${row.refused} of ${row.people} people of ${formatId('business', row.businessId)}`,
    )
  return warn(
    'company sign-in',
    `${issuer} has refused ${named.join(', ')}${rows.length > mostNamed ? ', …' : ''} within a day; their sessions go on`,
    'Check the application of Crier there: its secret may have expired, or its tokens were revoked. Whoever signs in there again is confirmed.',
  )
}
