import type { Tx } from '../../lib/db/types.ts'
import { hours, later, minutes } from '../../lib/time/clock.ts'
import type { MessageKind } from '../model/message.ts'
import { countRefusal } from './stream-queries.ts'

/** One mailbox may have its own rules. This many refusals are about the sender itself. */
export const refusalsToPause = 5
const within = minutes(10)
/** How long to wait before the remote server that refused a sender is tried again. */
const pauseMs = hours(1)

/** The values that identify the stream of a message. */
export interface StreamOf {
  route: string | null
  senderDomain: string | null
  kind: MessageKind
  /** Null if the message was sent before providers were distinguished. */
  provider: string | null
}

/**
 * Counts that the provider refused the sender, not the recipient. If it did so several times
 * recently, messages of the same kind to the same provider wait.
 */
export async function pauseStream(
  tx: Tx,
  { route, senderDomain, kind, provider }: StreamOf,
  now: Date,
): Promise<void> {
  // A message that was never tried has no stream to pause.
  if (route === null || senderDomain === null || provider === null) return
  const rule = { most: refusalsToPause, since: later(now, -within), until: later(now, pauseMs) }
  await countRefusal(tx, { route, domain: senderDomain, kind, provider }, { ...rule, now })
}
