/** How many campaigns of the whole service are planned or under way, for its metrics. */
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

const openStates = ['scheduled', 'awaiting_approval', 'deployed', 'paused'] as const

/** By state, with 0 for a state that no campaign has. */
export async function openCampaigns(db: Db): Promise<Record<string, number>> {
  const rows = await db.all<{ state: string; campaigns: number }>(sql`
    select state, count(*)::int as campaigns from campaigns
    where state in ('scheduled', 'awaiting_approval', 'deployed', 'paused')
    group by state
  `)
  const counts = new Map(rows.map(({ state, campaigns }) => [state, campaigns]))
  return Object.fromEntries(openStates.map((state) => [state, counts.get(state) ?? 0]))
}
