/** Turns recipients of a campaign into messages, with their jobs and events. */

import { recordActivity } from '../../contacts/timeline/activity.ts'
import { parseId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { emitAll } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { queueMessages } from '../model/queue.ts'
import { sentEvent } from '../timeline/announce.ts'
import { type CampaignMessage, insertForCampaign } from './campaign-queries.ts'

export type { CampaignMessage } from './campaign-queries.ts'

/**
 * Inserts them as messages to send now. Their content is the template's version, so they need no
 * content rows.
 */
export async function insertCampaignMessages(
  tx: Tx,
  rows: readonly CampaignMessage[],
  { origin, now }: { origin: Origin | undefined; now: Date },
): Promise<void> {
  if (rows.length === 0) return
  const connectionId = origin?.connectionId ?? null
  const callId = origin ? (parseId('request', origin.callId) ?? null) : null
  await insertForCampaign(tx, rows, { connectionId, callId, now })
  const messages = rows.map((row) => ({
    ...row,
    kind: 'marketing' as const,
    isReply: false,
    dueAt: now,
  }))
  await queueMessages(tx, messages, now)
  await emitAll(
    tx,
    messages.map((message) => sentEvent(message, origin)),
    now,
  )
  await recordActivity(
    tx,
    rows.map(({ businessId, contactId, campaignId, channel, id: messageId }) => {
      const subject = { messageId, campaignId, channel }
      return { businessId, contactId, type: 'message.sent', details: {}, origin, subject }
    }),
    now,
  )
}
