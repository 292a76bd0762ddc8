/** A reply is a text that a person sent to one of our numbers (docs/design/sms-replies.md). */
import type { Id } from '../core/ids.ts'
import type { Meaning } from './intent.ts'

/** Of what may be an opt-out: whether a person has looked at it, and what they found. */
export const reviews = ['open', 'opted_out', 'kept'] as const
export type Review = (typeof reviews)[number]

export interface Reply {
  businessId: Id<'business'>
  id: Id<'reply'>
  /** Who wrote it: E.164. */
  phone: string
  /** To which of our numbers, as the network names it. */
  sender: string
  contactId: Id<'contact'> | null
  body: string
  meaning: Meaning
  review: Review | null
  createdAt: Date
}
