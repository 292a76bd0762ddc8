/** A message is one mail or one text to one person. Its states are drawn in docs/design/sending.md. */
import type { Channel } from '../../contacts/model/contact.ts'
import type { Id } from '../../core/ids.ts'
import { days } from '../../lib/time/clock.ts'

export interface Texted {
  businessId: Id<'business'>
  /** From which number, short code or name; empty where the provider chose. */
  sender: string
  /** The last of the messages. */
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

/** What is told of a message, beside the states it went through. */
export type MessageEventType =
  | Exclude<MessageState, 'scheduled' | 'queued' | 'attempting'>
  | 'complained'
  | 'opened'
  | 'clicked'
  | 'unsubscribed'

/** A message that the remote server puts off is tried for this long (RFC 5321 section 4.5.4.1). */
export const triedFor = days(3)

/** What a message says, as it was asked for. */
export interface Content {
  subject: string | null
  html: string | null
  text: string | null
  variables: Record<string, unknown> | null
  attachments: StoredAttachment[] | null
  /** Whether opens and clicks are to be counted, where its business counts them. */
  trackOpens: boolean
  trackClicks: boolean
}

export interface StoredAttachment {
  filename: string
  content_type: string
  /** Base64. */
  content: string
}

/** A message on its way. */
export interface Message {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  kind: MessageKind
  /** Answers what the recipient has just texted: first of all, and whatever they wished before. */
  isReply: boolean
  contactId: Id<'contact'> | null
  campaignId: Id<'campaign'> | null
  /** An address, or a number in E.164. */
  to: string
  /** Of marketing by SMS: the recipient's time zone, where they have one. */
  zone: string | null
  templateVersionId: Id<'templateVersion'> | null
  state: MessageState
  attempts: number
  dueAt: Date
  queuedAt: Date | null
}

/** With what it says, which may be megabytes: read for those that are composed, no sooner. */
export interface WholeMessage extends Message, Content {}
