/** Queues the mails that tell owners what becomes of a business that was closed. */
import type { Closing } from '../accounts/businesses/closing.ts'
import type { Id } from '../core/ids.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { enqueue } from '../lib/jobs/job.ts'

export const closingMailJob = 'business.closing-mail'

export type ClosingEvent = 'closed' | 'reopened' | 'deleted'

export interface ClosingMailPayload {
  business_id: Id<'business'>
  owner_id: Id<'user'>
  event: ClosingEvent
}

export interface ClosingMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Mails are queued in the transaction of what they tell. */
export async function queueClosingMails(
  tx: Tx,
  { id, owners }: Closing,
  { event, now }: { event: ClosingEvent; now: Date },
): Promise<void> {
  const jobs = owners.map((owner_id) => {
    const payload: ClosingMailPayload = { business_id: id, owner_id, event }
    return { kind: closingMailJob, businessId: id, payload }
  })
  await enqueue(tx, jobs, now)
}
