/** What a remote server reported of one message, whichever way it came. */
import type { Id } from '../core/ids.ts'
import type { Verdict } from '../lib/email/classify.ts'

interface Reported {
  messageId: Id<'message'>
  at: Date
  /** Who told, in our own words, such as `delivery report`. */
  source: string
  /** Makes two copies of one report the same: the Message-ID of a notice, a provider's event id. */
  identity: string
  /** The remote server's own words. */
  words: string
}

export type Report = Reported &
  (
    | { event: 'delivered' | 'complained' }
    | { event: 'bounced' | 'deferred'; verdict: Verdict }
    | { event: 'opened' | 'clicked'; machine: boolean; url?: string | undefined }
  )
