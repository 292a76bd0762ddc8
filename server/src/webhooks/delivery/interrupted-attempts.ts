/** Interrupted attempts, whose result is unknown because their worker died or failed. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { causeOf, type QueuedDelivery } from '../model/delivery.ts'
import { knownAttempts, logAttempts } from './attempt-queries.ts'

export interface InterruptedAttempt {
  delivery: QueuedDelivery
  id: Id<'delivery'>
  /** The time of the claim. */
  at: Date
  attempt: number
  url: string | null
}

/** Logs them as started and never ended. Each is made again under another id. */
export async function logInterrupted(
  db: Db,
  attempts: readonly InterruptedAttempt[],
): Promise<void> {
  if (attempts.length === 0) return
  const rows = attempts.map(({ delivery, id, at, attempt, url }) => {
    const { first: _first, extra: _extra, test: _test, ...its } = delivery
    return {
      ...its,
      cause: causeOf(delivery),
      id,
      createdAt: at,
      attempt,
      begunAt: at,
      url,
      result: null,
      nextAttemptAt: null,
    }
  })
  // A worker that logged them before may have died before it settled the job.
  const logged = await knownAttempts(db, rows)
  await logAttempts(
    db,
    rows.filter(({ id }) => !logged.has(id)),
  )
}
