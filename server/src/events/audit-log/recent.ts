/** What came last through one connection, for the person who connected it. */

import type { Db } from '../../lib/db/types.ts'
import type { RecentAsked, RecentEntry } from './entry.ts'

export async function recentOf(db: Db, request: RecentAsked): Promise<RecentEntry[]> {
  const { selectRecent } = await import('./entry.ts')
  const { businesses, limit } = request
  const entries: RecentEntry[] = []
  // One statement a business, since each has its rows on a node of its own where there are several.
  for (const businessId of businesses)
    entries.push(...(await selectRecent(db, businessId, request)))
  return entries.toSorted(newestFirst).slice(0, limit)
}

function newestFirst(a: RecentEntry, b: RecentEntry): number {
  const ms = b.createdAt.getTime() - a.createdAt.getTime()
  if (ms !== 0) return ms
  return a.id < b.id ? 1 : -1
}
