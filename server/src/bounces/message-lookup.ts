/** The functions of the messages module that bounces need. */

import type { Channel } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { SenderRequirement } from '../lib/email/sender-requirements.ts'
import type { MessageKind, MessageState } from '../messages/message.ts'
import type { MessageReport } from '../messages/reports/reports.ts'
import type { Report } from './report.ts'

/** The facts of a message that reports need. */
export interface MessageFacts {
  id: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  /** The contact that the message was for. */
  contactId: Id<'contact'> | null
  /** The normalised address. */
  to: string
  /** The route that the message was sent over, and its sender domain. */
  route: string | null
  senderDomain: string | null
  kind: MessageKind
  state: MessageState
  /** The recipient's mailbox provider, as the throttle distinguishes them. */
  provider: string | null
  /** Whether opens and clicks may be recorded of its recipient. */
  isTracked: boolean
}

export interface Messages {
  /** Finds the messages that exist among these ids. */
  find(db: Db, ids: readonly Id<'message'>[]): Promise<MessageFacts[]>
  /** The topic of a message; undefined if it has none, or the message no longer exists. */
  topicOf(db: Db, businessId: Id<'business'>, id: Id<'message'>): Promise<string | undefined>
  /** Whether a message is the gallery's mail that asks for permission to write. */
  asksPermission(db: Db, businessId: Id<'business'>, id: Id<'message'>): Promise<boolean>
  /** When a mail server accepted these messages; those without such an event are left out. */
  acceptances(
    db: Db,
    keys: readonly { businessId: Id<'business'>; messageId: Id<'message'> }[],
  ): Promise<{ messageId: Id<'message'>; at: Date }[]>
  recordReports(tx: Tx, news: MessageReport[], now: Date): Promise<void>
  /** Records reports on mails that test a relay, which are of no business; returns how many. */
  noteAnswers(tx: Tx, reports: readonly Report[], now: Date): Promise<number>
  /** Pauses the message's stream, because the remote server refuses this sender. */
  pauseStream(
    tx: Tx,
    message: MessageFacts,
    now: Date,
    missing?: readonly SenderRequirement[],
  ): Promise<void>
}
