/**
 * A message: one mail or one text to one person. docs/design/sending.md draws its states. The files
 * of this folder, in the order in which a reader needs them:
 *
 * From a call to a row: `send-email.ts`, `send-sms.ts`, `send-batch-email.ts` and `send-batch-sms.ts`
 * (operations), `send-input.ts` and `send-batch.ts` (what they share), `prepare-email.ts` and `prepare-sms.ts` (a call read and
 * checked), `content.ts`, `mail-fields.ts`, `labels.ts`, `own-words.ts` (its parts), `to-save.ts` and
 * `save.ts` (the row and its job), `same-message.ts`, `attention.ts` (what refuses it),
 * `campaign-messages.ts` and `reply.ts` (messages that no call asks for), `queue.ts` (the jobs).
 *
 * From a row to the next hop: `sending.ts` (the job of a chunk), `deliver.ts` (its messages over
 * their hops), `mail-carrier.ts` and `text-carrier.ts` (a message composed, and its hops),
 * `template-words.ts`, `text-words.ts`, `mail-of.ts` (what it says), `attempts.ts` (begun, ended and
 * recorded), `retry.ts`, `holds.ts`, `campaign-outcomes.ts` (what a campaign is told);
 * `relays/` and `texting.ts` (the ways to go), `throttle/` (how fast, by provider), `waiting/` (what
 * waits, and its release by the operator).
 *
 * After that: `reports/` (delivered, bounced, opened, clicked), `message-events.ts` (webhooks and
 * timeline), `view.ts`, `list.ts`, `get.ts`, `timeline.ts`, `view-mail.ts`, `sent-content.ts`,
 * `inbox.ts`, `cancel.ts`, `reschedule.ts`, `personal-data.ts`, `personal-links.ts`, `retention.ts`,
 * `return-path.ts`. What other domains provide is in `dependencies.ts`.
 */

import type { Channel, ConsentStatus } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'
import type { Utm } from '../core/utm.ts'
import { days } from '../lib/time/clock.ts'
import type { MailFields } from './mail-fields.ts'

export interface TextedBusiness {
  businessId: Id<'business'>
  /** The number, short code or name that sent it. Empty if the provider chose. */
  sender: string
  /** The last message that was sent this way. */
  messageId: Id<'message'>
}

export const messageKinds = ['transactional', 'marketing'] as const
export type MessageKind = (typeof messageKinds)[number]

export const messageStates = [
  'scheduled',
  'queued',
  'attempting',
  'accepted',
  'deferred',
  'delivered',
  'bounced',
  'failed',
  'unknown',
  'suppressed',
  'cancelled',
] as const
export type MessageState = (typeof messageStates)[number]

/** Events of a message besides the changes of its state. */
export type MessageEventType =
  | Exclude<MessageState, 'scheduled' | 'queued' | 'attempting'>
  | 'complained'
  | 'opened'
  | 'clicked'
  | 'unsubscribed'

/** For how long a deferred message is retried (RFC 5321 section 4.5.4.1). */
export const triedFor = days(3)

/** The content of a message, as the caller wrote it. */
export interface Content {
  subject: string | null
  html: string | null
  text: string | null
  variables: Record<string, unknown> | null
  attachments: StoredAttachment[] | null
  /** Header fields that the call sets, if any. */
  fields?: MailFields | null
  /** The language of the template and the footer, a BCP 47 tag. Else the contact's. */
  language?: string | null
  /** Whether opens and clicks are tracked, if the business tracks them. */
  trackOpens: boolean
  trackClicks: boolean
}

export interface StoredAttachment {
  filename: string
  content_type: string
  /** Base64. */
  content: string
  /** The id by which the HTML shows an image, after `cid:`. */
  content_id?: string
}

/** A message that is being sent. */
export interface Message {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  kind: MessageKind
  /**
   * Whether it answers a text that the recipient has just sent. Such a message is sent first, and
   * despite suppressions.
   */
  isReply: boolean
  contactId: Id<'contact'> | null
  campaignId: Id<'campaign'> | null
  /** The key of the topic of marketing, if it has one. */
  topic?: string | null
  /** The address, or the number (E.164). */
  to: string
  /** The recipient's time zone, for marketing by SMS, if it is known. */
  zone: string | null
  /** The recipient's consent to tracking. Null if the recipient is not a contact. */
  trackingConsent: ConsentStatus | null
  templateVersionId: Id<'templateVersion'> | null
  /** The bits of the filters of its template's blocks that its recipient fits. */
  shownBlocks?: number | null
  state: MessageState
  attempts: number
  dueAt: Date
  queuedAt: Date | null
}

/**
 * A message with its content. Because that may have megabytes, it is read only when the message is
 * composed.
 */
export interface WholeMessage extends Message, Content {
  /** UTM parameters for the links of its campaign. */
  utm?: Utm
}
