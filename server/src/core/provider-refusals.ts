/**
 * Whom a provider has refused. Where it refuses most of its people at once, they have not all left: it
 * was set up anew, or has a fault.
 */
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { days, later } from '../lib/time/clock.ts'
import type { Id } from './ids.ts'

/** Among fewer people, more than half may really have left. */
const fewest = 10
export const refusedWithin = days(1)

export async function markRefused(
  tx: Tx,
  { issuer, subject }: { issuer: string; subject: string },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update identities set refused_at = ${now} where issuer = ${issuer} and subject = ${subject}
  `)
}

export interface Refusals {
  businessId: Id<'business'>
  people: number
  /** How many of them the provider refused within a day. */
  refused: number
}

/**
 * The businesses in which a provider refused most of its people within a day. At that of an
 * installation anybody may have accounts, so the members of each business are counted apart:
 * strangers, and other businesses, are none of them. Whoever has linked several counts once.
 */
export function refusalsOfMany(
  db: Db,
  { issuer, providerId }: { issuer: string; providerId: Id<'business'> | null },
  now: Date,
): Promise<Refusals[]> {
  const since = later(now, -refusedWithin)
  const people = sqlWithin`(i.refresh_token is not null or i.refused_at > ${since})`
  const counts = sqlWithin`
    count(distinct i.user_id)::int as people,
    count(distinct i.user_id) filter (where i.refused_at > ${since})::int as refused
  `
  const isMany = sqlWithin`
    having count(distinct i.user_id) >= ${fewest}
      and count(distinct i.user_id) filter (where i.refused_at > ${since}) * 2
        > count(distinct i.user_id)
  `
  if (providerId) {
    return db.all(sqlWithin`
      select i.provider_id as "businessId", ${counts} from identities i
      where i.issuer = ${issuer} and i.provider_id = ${providerId} and ${people}
      group by i.provider_id ${isMany}
    `)
  }
  return db.all(sqlWithin`
    select m.business_id as "businessId", ${counts}
    from memberships m join identities i on i.user_id = m.user_id
    where i.issuer = ${issuer} and i.provider_id is null and ${people} and m.business_id in (
      select r.business_id from memberships r join identities gone on gone.user_id = r.user_id
      where gone.issuer = ${issuer} and gone.provider_id is null and gone.refused_at > ${since}
    )
    group by m.business_id ${isMany}
    order by m.business_id
  `)
}
