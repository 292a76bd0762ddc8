/** The background jobs of confirmations. `worker.ts` adds them to its list. */
import { confirmationOf, endConfirmation } from '../contacts/consent/confirm.ts'
import {
  type ConfirmationPayload,
  confirmationMailJob,
  confirmationTimes,
  confirmationWaitJob,
} from '../contacts/consent/confirmation.ts'
import type { JobKinds, Verdict } from '../lib/jobs/job.ts'
import { hours, later } from '../lib/time/clock.ts'
import { type ConfirmationDeps, sendConfirmation } from './send-confirmation.ts'

export function confirmationJobs(deps: ConfirmationDeps): JobKinds {
  return {
    [confirmationMailJob]: {
      async run({ payload }): Promise<Verdict> {
        const sent = await sendConfirmation(deps, payload as ConfirmationPayload, {
          isReminder: false,
        })
        if (typeof sent === 'object') return { outcome: 'again', at: sent.heldUntil }
        // A business that has no sender yet may have one in an hour.
        return sent === 'unsendable'
          ? { outcome: 'again', at: later(deps.clock.now(), hours(1)) }
          : { outcome: 'done' }
      },
    },
    [confirmationWaitJob]: {
      run: ({ payload }) => waitOn(deps, payload as ConfirmationPayload),
    },
  }
}

/** Runs after three days and after thirty days. */
async function waitOn(deps: ConfirmationDeps, payload: ConfirmationPayload): Promise<Verdict> {
  const { business_id: businessId, confirmation_id: id } = payload
  const now = deps.clock.now()
  const asked = await confirmationOf(deps.db, { businessId, id })
  if (!asked || asked.confirmedAt || asked.endedAt) return { outcome: 'done' }
  const end = later(asked.createdAt, confirmationTimes.endMs)
  if (now < end) {
    await sendConfirmation(deps, payload, { isReminder: true })
    return { outcome: 'again', at: end }
  }
  await deps.db.tx((tx) => endConfirmation(tx, { businessId, id }, now))
  return { outcome: 'done' }
}
