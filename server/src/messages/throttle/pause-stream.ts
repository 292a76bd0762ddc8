import type { Tx } from '../../lib/db/types.ts'
import { hours, later, minutes } from '../../lib/time/clock.ts'
import type { MessageKind } from '../model/message.ts'
import { countRefusal } from './stream-queries.ts'

/** One recipient's mailbox may have rules of its own: so many refusals are about the sender. */
export const refusalsToPause = 5
const within = minutes(10)
/** A remote server that refuses a sender is asked again after so long. */
const pauseMs = hours(1)

/** What tells the stream of a message. */
export interface StreamOf {
  route: string | null
  senderDomain: string | null
  kind: MessageKind
  /** Null where it was sent before providers were told apart. */
  provider: string | null
}

/**
 * Counts that the provider refused who sends, and not who is written to. Where it did so several
 * times of late, what is of the same kind and goes to the same provider waits.
 */
export async function pauseStream(
  tx: Tx,
  { route, senderDomain, kind, provider }: StreamOf,
  now: Date,
): Promise<void> {
  // One that was never tried has no way that could be paused.
  if (route === null || senderDomain === null || provider === null) return
  const rule = { most: refusalsToPause, since: later(now, -within), until: later(now, pauseMs) }
  await countRefusal(tx, { route, domain: senderDomain, kind, provider }, { ...rule, now })
}
