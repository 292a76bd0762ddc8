/** What sending needs of others; `composition/` fills it in. */

import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Database } from '../../lib/db/types.ts'
import type { DkimKey } from '../../lib/email/dkim.ts'
import type { Content } from '../../lib/email/quoted-printable.ts'
import type { MessageKind, WholeMessage } from './message.ts'

/** How a business may send. */
export interface Sender {
  /** `Ana's Shop <hello@shop.example>`. */
  from: string
  /** Where answers go, where that is not `from`. */
  replyTo?: string
  domain: string
  keys: readonly DkimKey[]
  /** Where failures come back to; the sender's own domain where it is absent. */
  returnPathDomain?: string
  trackingHost?: string
  /** Why it may not send marketing; true where it may. */
  marketing: true | Refusal
}

export interface Senders {
  senderOf(businessId: Id<'business'>): Promise<Sender | Refusal>
}

/** Whom a business's texts are from. */
export interface TextSender {
  /** A number in E.164, a short code or a name; undefined where the provider chooses. */
  from: string | undefined
  /** Why it may not send marketing; true where it may. */
  marketing: true | Refusal
}

export interface TextSenders {
  textSenderOf(businessId: Id<'business'>): Promise<TextSender | Refusal>
}

export interface Rendered {
  subject: string
  /** A whole text, or pieces of which a template brings those that never change. */
  html?: Content
  text: Content
}

export interface ToRender {
  businessId: Id<'business'>
  templateVersionId: Id<'templateVersion'>
  contactId: Id<'contact'> | null
  /** What the call that sends it gave. */
  variables: Record<string, unknown>
  /** Where the recipient chooses what to get, and leaves. */
  preferencesUrl?: string
}

export interface Templates {
  render(what: ToRender): Promise<Rendered | Refusal>
  /** The plain text of an HTML mail. */
  textOf(businessId: Id<'business'>, html: string): Promise<string | Refusal>
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
  /** The recipient's, as a BCP 47 tag. */
  language?: string | null
  rendered: Rendered
  opens: boolean
  clicks: boolean
  trackingHost?: string
}

export interface Tracked {
  html?: Content
  text: Content
  headers: [name: string, value: string][]
}

export interface Tracking {
  /** For templates that say it themselves; there for marketing to a contact alone. */
  preferencesUrl(what: Omit<ToTrack, 'rendered'>): string | undefined
  prepare(db: Database, what: ToTrack): Promise<Tracked>
}

export interface ToBuild {
  message: WholeMessage
  sender: Sender
  now: Date
}

/** Fills in, tracks, writes and signs messages of templates, away from the loop that sends. */
export interface Building {
  /** Undefined for a message that is not for it: the sender builds that one itself. */
  build(what: ToBuild): Promise<Buffer | Refusal | undefined>
}
