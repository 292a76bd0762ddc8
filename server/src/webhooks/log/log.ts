/** Reads the log of attempts: rows of finished attempts, and attempts under way. */

import { type Id, timeOf } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { findLogged, type LogPage, type LogRow, listLogged } from './log-queries.ts'
import { attemptsUnderWay } from './under-way.ts'

export type { LogRow } from './log-queries.ts'

/** Longer than any attempt takes, including the requests that its batch sends before it. */
const longestMs = seconds(30)

/** Lists attempts, newest first. */
export async function listAttempts(db: Db, page: LogPage, now: Date): Promise<LogRow[]> {
  const { businessId, webhookId, outcome, before, limit } = page
  // Read first, so that an attempt that ends meanwhile is in both lists instead of in neither.
  const open = outcome === null ? await attemptsUnderWay(db, [businessId], now, webhookId) : []
  const logged = await listLogged(db, page)
  const ids = new Set(logged.map(({ id }) => id))
  const others = open.filter(({ id }) => !ids.has(id) && (before === null || id < before))
  if (others.length === 0) return logged
  return [...logged, ...others].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
}

/** Finds the attempt with this id in these businesses. */
export async function findAttempt(
  db: Db,
  businessIds: readonly Id<'business'>[],
  id: Id<'delivery'>,
): Promise<LogRow | undefined> {
  const logged = await findLogged(db, businessIds, id)
  if (logged) return logged
  // The attempt's claim has the same time as its id.
  const open = await attemptsUnderWay(db, businessIds, later(timeOf(id), longestMs))
  // The attempt may have ended between the two reads.
  return open.find((row) => row.id === id) ?? findLogged(db, businessIds, id)
}
