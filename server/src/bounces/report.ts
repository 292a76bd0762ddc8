/**
 * A report: what a remote server says about one message, by mail or by HTTP. The files, in the order in
 * which a reader needs them: `server/` takes returned mail, `ingest-bounce.ts` and `read-report.ts` read
 * it; `providers/` reads the notifications of providers over HTTP; `ingest-reports.ts` records all of
 * them, and `message-lookup.ts` finds their messages. `simulator.ts` makes reports in test mode, and
 * `sample-reports.ts` those of the buttons of the built-in inbox.
 */

import type { Id } from '../core/ids.ts'
import type { Verdict } from '../lib/email/classify.ts'

interface Reported {
  messageId: Id<'message'>
  at: Date
  /** What reported it, in our own words, such as `delivery report`. */
  source: string
  /** Identifies copies of one report: the Message-ID of a notice, or a provider's event id. */
  identity: string
  /** The remote server's own words. */
  words: string
}

export type Report = Reported &
  (
    | { event: 'delivered' | 'complained' | 'unsubscribed' }
    | {
        event: 'bounced' | 'deferred'
        verdict: Verdict
        /** The person sent STOP to the provider of texts, which refuses the number for that. */
        hasStopped?: boolean
      }
    | { event: 'opened' | 'clicked'; machine: boolean; url?: string | undefined }
  )
