/** What bounces need of the messages' module. */

import type { Channel } from '../contacts/model/contact.ts'
import type { Id } from '../core/ids.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { MessageReport } from '../messages/reports/outcomes.ts'

/** A message as those who report on it need to know it. */
export interface MessageFacts {
  id: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  /** Normalised. */
  to: string
  /** Which way it went, and for whom. */
  route: string | null
  senderDomain: string | null
}

export interface Messages {
  /** Those of the messages that there are. */
  find(db: Db, ids: readonly Id<'message'>[]): Promise<MessageFacts[]>
  recordReports(tx: Tx, news: MessageReport[], now: Date): Promise<void>
  /** The remote server refuses this sender: what else goes the same way waits. */
  pauseStream(tx: Tx, message: MessageFacts, now: Date): Promise<void>
}
