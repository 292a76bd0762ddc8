/** The end of a campaign that was cancelled: what was not sent stays unsent, and is told so. */

import type { Tx } from '../../lib/db/types.ts'
import type { Outcome } from '../../lib/jobs/job.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { endMessages } from '../../messages/delivery/holds.ts'
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

const perTurn = 5_000
/** What is on a line now, or was put off by the remote server, ends a little later. */
const lookAgain = seconds(5)

export async function closeTurn(
  { outcomes }: CloseDeps,
  tx: Tx,
  { key, run, now }: Closing,
): Promise<Outcome> {
  if (!run) return { outcome: 'done' }
  const again = { outcome: 'again', at: now } as const
  const pending = await cancelPending(tx, key, { limit: perTurn, after: run.endedTo, now })
  const cancelled = { ...key, variant: 0, metric: 'cancelled', amount: pending.length }
  await addCounts(tx, [cancelled])
  if (pending.length === perTurn) return again
  const open = await findOpen(tx, key, run.endedTo)
  if (!open) return { outcome: 'done' }
  await saveRun(tx, key, { ...run, endedTo: open.id }, now)
  const taken = await findOpenMessages(tx, key, { from: open.id, limit: perTurn })
  const ids = taken.map(({ messageId }) => messageId)
  await endMessages(tx, outcomes, { businessId: key.businessId, ids }, now)
  // Of many that were put off, those that come first may be on lines.
  return taken.length === perTurn ? again : { outcome: 'again', at: later(now, lookAgain) }
}
