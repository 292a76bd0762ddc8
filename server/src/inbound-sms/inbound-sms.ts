/** Builds the parts that process inbound texts and delivery receipts. */

import { limits } from '../config.ts'
import { phonesRoute } from '../core/inbox/phones.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import type { InboundText, SmsListener, SmsReceipt } from '../lib/sms/transport.ts'
import { days, hours, later, seconds } from '../lib/time/clock.ts'
import {
  type LateReceipt,
  lateReceiptDelays,
  lateReceiptJob,
  type ReceiptDeps,
  takeKnown,
  takeReceipt,
} from './ingest-receipts.ts'
import { receivePart, takeOverdue } from './receive-part.ts'
import { type Answered, type ReceiveOutcome, type ReplyDeps, receiveSms } from './receive-sms.ts'
import { deleteAnswers, deleteReplies, deleteTaken } from './reply.ts'

export interface Replies {
  /** @param route The transport's route. Provider ids are unique within a route. */
  text(route: string, text: InboundText): Promise<ReceiveOutcome>
  receipt(route: string, receipt: SmsReceipt): Promise<void>
  /** An answer to one message of one business, whoever else sent to the number. */
  answer(message: Answered, text: InboundText): Promise<ReceiveOutcome>
  /** The listener for a transport that receives both over its own connection. */
  listenerOn(route: string): SmsListener
  kinds: JobKinds
}

export function createReplies(deps: ReplyDeps & ReceiptDeps): Replies {
  const text: Replies['text'] = (route, message) => receiveSms(deps, route, message)
  const receipt: Replies['receipt'] = (route, report) => takeReceipt(deps, route, report)
  return {
    text,
    receipt,
    answer: (message, answer) => receiveSms(deps, phonesRoute, answer, message),
    listenerOn: (route) => ({
      receipt: (report) => receipt(route, report),
      async inbound(message) {
        const { partPlace, ...whole } = message
        if (partPlace) await receivePart(deps, route, { ...whole, partPlace })
        else await text(route, message)
      },
    }),
    kinds: replyJobs(deps),
  }
}

/** Longer than any provider takes to deliver a text again. */
const takenKeptFor = days(30)

function replyJobs(deps: ReceiptDeps & ReplyDeps): JobKinds {
  const { db, clock } = deps
  return {
    [lateReceiptJob]: {
      async run({ payload, attempt }) {
        const { route, receipt } = payload as LateReceipt
        const isKnown = await takeKnown(deps, route, { ...receipt, at: new Date(receipt.at) })
        const delay = isKnown ? undefined : lateReceiptDelays[attempt - 1]
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
