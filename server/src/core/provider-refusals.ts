/**
 * Whom a provider has refused. Where it refuses most of its people at once, they have not all left: it
 * was set up anew, or has a fault.
 */
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { days, later } from '../lib/time/clock.ts'
import type { Id } from './ids.ts'

/** Of fewer people, more than half may have left. */
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
  people: number
  /** Of them, those whom the provider refused within a day. */
  refused: number
  isMany: boolean
}

export async function refusalsOf(
  db: Db,
  { issuer, providerId }: { issuer: string; providerId: Id<'business'> | null },
  now: Date,
): Promise<Refusals> {
  const since = later(now, -refusedWithin)
  const counts = await db.one<{ people: number; refused: number }>(sql`
    select count(*)::int as people, count(*) filter (where refused_at > ${since})::int as refused
    from identities
    where issuer = ${issuer} and provider_id is not distinct from ${providerId}::uuid
      and (refresh_token is not null or refused_at > ${since})
  `)
  return { ...counts, isMany: counts.people >= fewest && counts.refused * 2 > counts.people }
}
