/** Attempts of which nobody knows what came: their worker died, or failed, over them. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { QueuedDelivery } from '../model/delivery.ts'
import { knownAttempts, logAttempts } from './attempt-queries.ts'

export interface Lost {
  delivery: QueuedDelivery
  id: Id<'delivery'>
  /** When it was claimed. */
  at: Date
  attempt: number
  url: string | null
}

/** The log shows them as begun and never ended; each is made again under another id. */
export async function logLost(db: Db, lost: readonly Lost[]): Promise<void> {
  if (lost.length === 0) return
  const rows = lost.map(({ delivery, id, at, attempt, url }) => {
    const { first: _first, test: _test, ...its } = delivery
    return {
      ...its,
      id,
      createdAt: at,
      attempt,
      begunAt: at,
      url,
      result: null,
      nextAttemptAt: null,
    }
  })
  // Whoever noted them last may have died before they could settle the job.
  const known = await knownAttempts(db, rows)
  await logAttempts(
    db,
    rows.filter(({ id }) => !known.has(id)),
  )
}
