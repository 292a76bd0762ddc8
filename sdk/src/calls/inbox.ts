/** Waits for a mail in the test inbox, as a test does after what it tried. */

import type { InboxListInput, InboxListOutput } from '../generated/operations.ts'
import type { CallOptions } from './rest.ts'

export type InboxMail = InboxListOutput['mails'][number]

export interface MailToWaitFor extends Pick<InboxListInput, 'business_id' | 'to' | 'search'> {
  /** For how long, in milliseconds; 30,000 by default. */
  timeoutMs?: number
}

export type WaitForMail = (mail?: MailToWaitFor, options?: CallOptions) => Promise<InboxMail>

type List = (input: InboxListInput, options?: CallOptions) => Promise<InboxListOutput>

/** The longest wait of one request, in seconds. */
const longestRequest = 10

/** Returns the newest mail that fits, and throws if none came in time. */
export function waitForMail(list: List): WaitForMail {
  return async ({ timeoutMs = 30_000, ...filter } = {}, options = {}) => {
    const end = Date.now() + timeoutMs
    for (;;) {
      const left = Math.ceil((end - Date.now()) / 1000)
      const wait = `${Math.min(longestRequest, Math.max(1, left))}s`
      const { mails } = await list({ ...filter, wait, limit: 1 }, options)
      const [mail] = mails
      if (mail) return mail
      if (Date.now() < end) continue
      const whom = filter.to === undefined ? '' : ` to ${filter.to}`
      throw new Error(`No such mail${whom} came within ${timeoutMs} ms.`)
    }
  }
}
