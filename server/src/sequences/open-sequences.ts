/** How many sequences of the whole service run, or wait for a person, for its metrics. */
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

const openStatuses = ['awaiting_approval', 'running', 'paused'] as const

/** By status, with 0 for a status that no sequence has. */
export async function openSequences(db: Db): Promise<Record<string, number>> {
  const businesses = await db.all<{ id: Id<'business'> }>(sql`select id from businesses`)
  const rows = await db.all<{ status: string; sequences: number }>(sql`
    select status, count(*)::int as sequences from sequences
    where business_id = any(${businesses.map(({ id }) => id)}::uuid[]) and deleted_at is null
    group by status
  `)
  const counts = new Map(rows.map(({ status, sequences }) => [status, sequences]))
  return Object.fromEntries(openStatuses.map((status) => [status, counts.get(status) ?? 0]))
}
