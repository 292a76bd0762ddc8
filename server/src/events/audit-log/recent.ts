/** What came last through one connection, for the person who connected it. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { RecentEntry } from './entry.ts'

export interface RecentAsked {
  connectionId: Id<'connection'>
  businesses: readonly Id<'business'>[]
  limit: number
}

export async function recentOf(db: Db, asked: RecentAsked): Promise<RecentEntry[]> {
  const { selectRecent } = await import('./entry-queries.ts')
  return selectRecent(db, asked)
}
