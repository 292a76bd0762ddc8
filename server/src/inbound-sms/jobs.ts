/** The background jobs of inbound texts. `worker.ts` adds them to its list. */
import { limits } from '../config.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { days, hours, later, seconds } from '../lib/time/clock.ts'
import type { ReceiptDeps } from './ingest-receipts.ts'
import {
  type LateReceipt,
  lateReceiptDelays,
  lateReceiptJob,
  takeKnown,
} from './ingest-receipts.ts'
import { deleteAnswers, deleteReplies, deleteTaken } from './queries.ts'
import { takeOverdue } from './receive-part.ts'
import type { ReplyDeps } from './receive-sms.ts'

/** Longer than any provider takes to deliver a text again. */
const takenKeptFor = days(30)

export function replyJobs(deps: ReceiptDeps & ReplyDeps): JobKinds {
  const { db, clock } = deps
  return {
    [lateReceiptJob]: {
      async run({ payload, attempt }) {
        const { route, receipt } = payload as LateReceipt
        const known = await takeKnown(deps, route, { ...receipt, at: new Date(receipt.at) })
        const delay = known ? undefined : lateReceiptDelays[attempt - 1]
        // No message here has the receipt's id. Another service on the same account sent it, or the
        // message was deleted.
        if (delay === undefined) return { outcome: 'done' }
        return { outcome: 'retry', at: later(clock.now(), delay), fault: 'unknown message' }
      },
    },
    'reply.join-parts': {
      everyMs: seconds(30),
      async run() {
        await takeOverdue(deps)
      },
    },
    'reply.sweep': {
      everyMs: hours(1),
      async run() {
        const now = clock.now()
        await deleteReplies(db, later(now, -days(limits.repliesKeptDays)))
        await deleteTaken(db, later(now, -takenKeptFor))
        await deleteAnswers(db, later(now, -limits.textAnswerMs))
      },
    },
  }
}
