import type { Tx } from '../../lib/db/types.ts'
import { hours, later, minutes } from '../../lib/time/clock.ts'
import { countRefusal } from './stream-queries.ts'

/** One recipient's mailbox may have rules of its own: so many refusals are about the sender. */
export const refusalsToPause = 5
const within = minutes(10)
/** A remote server that refuses a sender is asked again after so long. */
const pauseMs = hours(1)

/** Mail that goes one way for one sender domain. */
export interface Stream {
  route: string | null
  senderDomain: string | null
}

/**
 * Counts that the remote server refused who sends, and not who is written to. Where it did so
 * several times of late, what goes the same way waits.
 */
export async function pauseStream(
  tx: Tx,
  { route, senderDomain }: Stream,
  now: Date,
): Promise<void> {
  // One that was never tried has no way that could be paused.
  if (route === null || senderDomain === null) return
  const rule = { most: refusalsToPause, since: later(now, -within), until: later(now, pauseMs) }
  await countRefusal(tx, { route, domain: senderDomain }, { ...rule, now })
}
