import type { Batch, Deleted, Overdue, RetainedData } from '../accounts/businesses/retention.ts'
import { deleteOldProposals } from '../assistants/proposals.ts'
import { countOldRecipients, deleteOldRecipients } from '../campaigns/results/old-recipients.ts'
import { retainedContacts, retainedEvidence } from '../contacts/retention.ts'
import { countOldActivity, deleteOldActivity, retainedEvents } from '../contacts/timeline/past.ts'
import { retainedSubmissions } from '../forms/submission.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { countOldMessages, deleteOldMessages, retainedMessages } from '../messages/retention.ts'

/** Sent messages, who got which campaign, and timelines. The sums of campaigns and people stay. */
const retainedHistory: RetainedData = {
  kind: 'history',

  async count(db: Db, overdue: Overdue, limit: number): Promise<number> {
    const old = { ...overdue, limit }
    const counts = await Promise.all([
      countOldActivity(db, old),
      countOldRecipients(db, old),
      countOldMessages(db, old),
    ])
    return Math.min(
      limit,
      counts.reduce((sum, count) => sum + count, 0),
    )
  },

  async deleteSome(tx: Tx, { businessId, before, size }: Batch, now: Date): Promise<Deleted> {
    const old = { businessId, before, limit: size }
    const entries = await deleteOldActivity(tx, old)
    const recipients = await deleteOldRecipients(tx, old, now)
    const messages = await deleteOldMessages(tx, old)
    const proposals = await deleteOldProposals(tx, old)
    // What a batch finds is deleted, so each batch begins at the oldest row.
    const isLast = entries < size && recipients.isLast && messages < size && proposals < size
    return {
      count: entries + recipients.count + messages + proposals,
      next: isLast ? null : businessId,
    }
  },
}

/** The kinds of data that domains delete once its retention has passed. */
export const everyRetainedData: readonly RetainedData[] = [
  retainedMessages,
  retainedEvidence,
  retainedSubmissions,
  retainedContacts,
  retainedHistory,
  retainedEvents,
]
