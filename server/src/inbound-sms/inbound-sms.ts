/** All that takes what people and providers say of texts, put together. */
import type { JobKinds } from '../lib/jobs/job.ts'
import type { InboundText, SmsListener, SmsReceipt } from '../lib/sms/transport.ts'
import { type ReceiptDeps, takeReceipt } from './ingest-receipts.ts'
import { replyJobs } from './jobs.ts'
import { receivePart } from './receive-part.ts'
import { type ReplyDeps, receiveSms, type Taken } from './receive-sms.ts'

export interface Replies {
  /** @param route The transport's, by which its provider ids are told apart. */
  text(route: string, text: InboundText): Promise<Taken>
  receipt(route: string, receipt: SmsReceipt): Promise<void>
  /** For a transport that hears both on its own link. */
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
