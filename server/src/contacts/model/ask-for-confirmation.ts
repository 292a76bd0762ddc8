import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import { days, later } from '../../lib/time/clock.ts'
import type { NewConfirmation } from './confirmation.ts'
import { insertConfirmation, insertReturn } from './confirmation-queries.ts'

/** The job that sends the mail, if the limits allow it. */
export const confirmationMailJob = 'consent.confirmation-mail'
/** The job that reminds once, and finally ends the confirmation. */
export const confirmationWaitJob = 'consent.confirmation-wait'

export interface ConfirmationPayload {
  business_id: Id<'business'>
  confirmation_id: Id<'confirmation'>
}

export const confirmationTimes = {
  reminderMs: days(3),
  endMs: days(30),
} as const

/** Stores what is to be confirmed, and queues the mail in the same transaction. */
export async function askForConfirmation(
  tx: Tx,
  all: readonly NewConfirmation[],
  now: Date,
): Promise<void> {
  await ask(tx, all, { insert: insertConfirmation, now })
}

/** Asks erased people whose address was typed into a form; see `confirmConsent`. */
export async function askToReturn(
  tx: Tx,
  all: readonly NewConfirmation[],
  now: Date,
): Promise<void> {
  await ask(tx, all, { insert: insertReturn, now })
}

interface ConfirmationQueueing {
  insert: typeof insertConfirmation
  now: Date
}

async function ask(
  tx: Tx,
  all: readonly NewConfirmation[],
  { insert, now }: ConfirmationQueueing,
): Promise<void> {
  const jobs: NewJob[] = []
  for (const one of all) {
    const { id, isNew } = await insert(tx, one, now)
    const payload: ConfirmationPayload = { business_id: one.businessId, confirmation_id: id }
    const lane = one.businessId
    jobs.push({ kind: confirmationMailJob, lane, payload })
    const dueAt = later(now, confirmationTimes.reminderMs)
    if (isNew) jobs.push({ kind: confirmationWaitJob, lane, payload, dueAt })
  }
  if (jobs.length > 0) await enqueue(tx, jobs, now)
}
