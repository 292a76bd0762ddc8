/** Builds the parts that process inbound texts and delivery receipts. */
import type { JobKinds } from '../lib/jobs/job.ts'
import type { InboundText, SmsListener, SmsReceipt } from '../lib/sms/transport.ts'
import { type ReceiptDeps, takeReceipt } from './ingest-receipts.ts'
import { replyJobs } from './jobs.ts'
import { receivePart } from './receive-part.ts'
import { type ReceiveOutcome, type ReplyDeps, receiveSms } from './receive-sms.ts'

export interface Replies {
  /** @param route The transport's route. Provider ids are unique within a route. */
  text(route: string, text: InboundText): Promise<ReceiveOutcome>
  receipt(route: string, receipt: SmsReceipt): Promise<void>
  /** The listener for a transport that receives both over its own connection. */
  listenerOn(route: string): SmsListener
  kinds: JobKinds
}

export function createReplies(deps: ReplyDeps & ReceiptDeps): Replies {
  const text: Replies['text'] = (route, heard) => receiveSms(deps, route, heard)
  const receipt: Replies['receipt'] = (route, heard) => takeReceipt(deps, route, heard)
  return {
    text,
    receipt,
    listenerOn: (route) => ({
      receipt: (heard) => receipt(route, heard),
      async inbound(heard) {
        const { place, ...whole } = heard
        if (place) await receivePart(deps, route, { ...whole, place })
        else await text(route, heard)
      },
    }),
    kinds: replyJobs(deps),
  }
}
