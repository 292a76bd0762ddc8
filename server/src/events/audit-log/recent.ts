/** What came last through one connection, for the person who connected it. */

import type { Db } from '../../lib/db/types.ts'
import type { RecentAsked, RecentEntry } from './entry.ts'

export async function recentOf(db: Db, asked: RecentAsked): Promise<RecentEntry[]> {
  const { selectRecent } = await import('./entry-queries.ts')
  return selectRecent(db, asked)
}
