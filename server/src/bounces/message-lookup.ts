/** What bounces need from the messages module. */

import type { Channel } from '../contacts/model/contact.ts'
import type { Id } from '../core/ids.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { MessageKind } from '../messages/model/message.ts'
import type { MessageReport } from '../messages/reports/outcomes.ts'

/** The facts of a message that reports need. */
export interface MessageFacts {
  id: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  /** Normalised. */
  to: string
  /** The route that the message was sent over, and its sender domain. */
  route: string | null
  senderDomain: string | null
  kind: MessageKind
  /** Who received it, as the throttle tells providers apart. */
  provider: string | null
  /** Whether opens and clicks may be recorded of its recipient. */
  isTracked: boolean
}

export interface Messages {
  /** Finds those of the messages that exist. */
  find(db: Db, ids: readonly Id<'message'>[]): Promise<MessageFacts[]>
  /** What a message is about; undefined where that has no name, or the message is gone. */
  topicOf(db: Db, businessId: Id<'business'>, id: Id<'message'>): Promise<string | undefined>
  recordReports(tx: Tx, news: MessageReport[], now: Date): Promise<void>
  /** The remote server refuses this sender, so other messages of the same stream have to wait. */
  pauseStream(tx: Tx, message: MessageFacts, now: Date): Promise<void>
}
