import type { Tx } from '../../lib/db/types.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'
import { hours, later, minutes } from '../../lib/time/clock.ts'
import type { MessageKind } from '../model/message.ts'
import { countRefusal, pauseFor, type StreamKey } from './stream-queries.ts'

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
  stream: StreamOf,
  now: Date,
  missing: readonly SenderRequirement[] = [],
): Promise<void> {
  const key = keyOf(stream)
  if (!key) return
  const rule = { limit: refusalsToPause, since: later(now, -within), until: later(now, pauseMs) }
  await countRefusal(tx, key, { ...rule, missing: missing.length > 0 ? missing : null, now })
}

/**
 * The provider itself said what the sender lacks, in its reply to a delivery. That is true of every
 * message, so the first such reply is enough. A report by mail is counted instead, because whoever
 * got a message can write one.
 */
export async function pauseUntilMended(
  tx: Tx,
  stream: StreamOf,
  missing: readonly SenderRequirement[],
  now: Date,
): Promise<void> {
  const key = keyOf(stream)
  if (key) await pauseFor(tx, key, { missing, until: later(now, pauseMs), now })
}

/** A message that was never tried has no stream to pause. */
function keyOf({ route, senderDomain, kind, provider }: StreamOf): StreamKey | undefined {
  if (route === null || senderDomain === null || provider === null) return undefined
  return { route, domain: senderDomain, kind, provider }
}
