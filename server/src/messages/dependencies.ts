/** The parts of other domains that sending needs. `composition/` provides them. */

import type { Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Utm } from '../core/utm.ts'
import type { Database } from '../lib/db/types.ts'
import type { DkimKey } from '../lib/email/dkim.ts'
import type { PiecedText } from '../lib/email/quoted-printable.ts'
import type { ShownBlocks } from '../templates/variables.ts'
import type { MessageKind, WholeMessage } from './message.ts'

/** A business's sender for mail, with the domain and keys that sign it. */
export interface Sender {
  /** `Ana's Shop <hello@shop.example>`. */
  from: string
  /** The address for replies, if not `from`. */
  replyTo?: string
  domain: string
  keys: readonly DkimKey[]
  /** The domain for bounces. If absent, the sender's own domain. */
  returnPathDomain?: string
  trackingHost?: string
  /** True if it may send marketing, else the reason why not. */
  marketing: true | Refusal
  /** Why no marketing may begin yet, although what is under way goes on. */
  waits?: Refusal
}

export interface Senders {
  /** Returns the sender `from` if a call names it, otherwise the business's sender. */
  senderOf(businessId: Id<'business'>, from?: string): Promise<Sender | Refusal>
}

/** The sender of a business's texts. */
export interface TextSender {
  /** A number (E.164), a short code or a name. Undefined if the provider chooses. */
  from: string | undefined
  /** True if it may send marketing, else the reason why not. */
  marketing: true | Refusal
}

export interface TextSenders {
  textSenderOf(businessId: Id<'business'>, to?: string): Promise<TextSender | Refusal>
}

export interface Rendered {
  subject: string
  /** The whole text, or pieces. Messages share the constant pieces of their template. */
  html?: PiecedText
  text: PiecedText
}

/** The links of a message that its template may place. Only marketing to a contact has them. */
export interface OwnLinks {
  /** The page where the recipient changes preferences and unsubscribes. */
  preferencesUrl?: string
  /** The page that shows the mail in a browser. */
  viewUrl?: string
}

export interface ToRender extends OwnLinks {
  businessId: Id<'business'>
  templateVersionId: Id<'templateVersion'>
  contactId: Id<'contact'> | null
  /** The variables of the call. */
  variables: Record<string, unknown>
  /** The language that the call asks for. Else the contact's. */
  language?: string | null
  /** Which blocks with a filter are shown. Absent: none of them. */
  shownBlocks?: ShownBlocks
  /** Whether the recipient's address and number are masked in it, as whoever calls sees them. */
  masksContact?: boolean
}

export interface Templates {
  render(message: ToRender): Promise<Rendered>
  /** Converts HTML mail to plain text. */
  textOf(businessId: Id<'business'>, html: string): Promise<string>
  /** The contact's, as a BCP 47 tag. */
  languageOf(contact: {
    businessId: Id<'business'>
    contactId: Id<'contact'>
  }): Promise<string | null>
}

export interface ToTrack {
  businessId: Id<'business'>
  messageId: Id<'message'>
  contactId?: Id<'contact'>
  campaignId?: Id<'campaign'>
  kind: MessageKind
  /** The channel of the message that has the links. If absent, email. */
  channel?: 'email' | 'sms'
  topic?: string
  /** The sender's domain, under which its lists are named. */
  listDomain?: string
  /** The recipient's, as a BCP 47 tag. */
  language?: string | null
  rendered: Rendered
  opens: boolean
  clicks: boolean
  utm?: Utm
  trackingHost?: string
}

/** The UTM parameters for the links of a campaign's mail; undefined for none. */
export type ReadUtm = (campaign: {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}) => Promise<Utm | undefined>

export interface Tracked {
  html?: PiecedText
  text: PiecedText
  headers: [name: string, value: string][]
}

export interface Tracking {
  /** The address for templates that place the link themselves. Only for marketing to a contact. */
  preferencesUrl(mail: Omit<ToTrack, 'rendered'>): string | undefined
  viewUrl(mail: Omit<ToTrack, 'rendered'>): string | undefined
  prepare(db: Database, mail: ToTrack): Promise<Tracked>
}

export interface ToBuild {
  message: WholeMessage
  sender: Sender
  now: Date
}

/** Renders, tracks, builds and signs messages of templates in another thread. */
export interface Building {
  /** Undefined for a message that it does not handle. The caller then builds the message itself. */
  build(message: ToBuild): Promise<Buffer | undefined>
}
