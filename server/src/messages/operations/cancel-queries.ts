/** Statements that cancel a message before it is sent. */

import type { Channel } from '../../contacts/contact.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { MessageState } from '../model/message.ts'

export interface CancelledMessage {
  channel: Channel
  segments: number | null
  createdAt: Date
}

/**
 * Cancels a message that waits for its `send_at`, or marketing by SMS that waits for the morning. A
 * worker that is about to send it holds its row or has changed its state, so exactly one of the two
 * succeeds.
 */
export function cancelWaiting(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'message'>,
  now: Date,
): Promise<CancelledMessage | undefined> {
  return tx.maybe(sql`
    update messages set state = 'cancelled', updated_at = ${now}
    where business_id = ${businessId} and id = ${id} and campaign_id is null
      and (state = 'scheduled' or (state = 'queued' and channel = 'sms' and kind = 'marketing'
        and attempts = 0 and due_at > ${now}))
    returning channel, segments, created_at as "createdAt"
  `)
}

/** Lets the same message be sent again at once. */
export function freeCancelled(
  tx: Tx,
  businessId: Id<'business'>,
  messageId: Id<'message'>,
): Promise<number> {
  return tx.run(sql`
    delete from recent_messages where business_id = ${businessId} and message_id = ${messageId}
  `)
}

export function findState(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<{ state: MessageState; campaignId: Id<'campaign'> | null } | undefined> {
  return db.maybe(sql`
    select state, campaign_id as "campaignId" from messages
    where business_id = ${businessId} and id = ${id}
  `)
}
