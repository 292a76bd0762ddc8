/**
 * A reply: an inbound text that a person sent to one of the installation's numbers
 * (docs/design/sms-replies.md).
 */
import type { Id } from '../core/ids.ts'
import type { Meaning } from './intent.ts'

/** For a possible opt-out: whether a person has reviewed it, and what they decided. */
export const reviews = ['open', 'opted_out', 'kept'] as const
export type Review = (typeof reviews)[number]

export interface Reply {
  businessId: Id<'business'>
  id: Id<'reply'>
  /** The person's number (E.164). */
  phone: string
  /** The number it was sent to, as the network names it. */
  sender: string
  contactId: Id<'contact'> | null
  body: string
  meaning: Meaning
  review: Review | null
  createdAt: Date
}
