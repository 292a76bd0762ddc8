/** Closes a cancelled campaign: unsent messages are cancelled, and their recipients marked so. */

import type { Tx } from '../../lib/db/types.ts'
import type { Outcome } from '../../lib/jobs/job.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { cancelMessages } from '../../messages/delivery/holds.ts'
import type { Outcomes } from '../../messages/model/campaign-outcomes.ts'
import { findOpen, type Run, type RunKey, saveRun } from '../model/run-queries.ts'
import { addCounts } from '../results/counts.ts'
import { cancelPending, findOpenMessages } from './dispatch-queries.ts'

export interface CloseDeps {
  outcomes: Outcomes
}

interface Closing {
  key: RunKey
  run: Run | undefined
  now: Date
}

const perTick = 5_000
/** How long to wait for messages that are being sent or were deferred. */
const lookAgain = seconds(5)

export async function closeTick(
  { outcomes }: CloseDeps,
  tx: Tx,
  { key, run, now }: Closing,
): Promise<Outcome> {
  if (!run) return { outcome: 'done' }
  const again = { outcome: 'again', at: now } as const
  const pending = await cancelPending(tx, key, { limit: perTick, after: run.endedTo, now })
  const cancelled = pending.map(({ variant }) => {
    return { ...key, variant, metric: 'cancelled', amount: 1 }
  })
  await addCounts(tx, cancelled)
  if (pending.length === perTick) return again
  const open = await findOpen(tx, key, run.endedTo)
  if (!open) return { outcome: 'done' }
  await saveRun(tx, key, { ...run, endedTo: open.id }, now)
  const taken = await findOpenMessages(tx, key, { from: open.id, limit: perTick })
  const ids = taken.map(({ messageId }) => messageId)
  await cancelMessages(tx, outcomes, { businessId: key.businessId, ids }, now)
  // If many were deferred, the first ones may still be on a connection.
  return taken.length === perTick ? again : { outcome: 'again', at: later(now, lookAgain) }
}
