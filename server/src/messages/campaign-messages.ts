/** Turns recipients of a campaign into messages, with their jobs and events. */

import type { Channel } from '../contacts/contact.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { type Id, parseId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import { emitAll } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { sentEvent } from './message-events.ts'
import { queueMessages } from './queue.ts'

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

interface CampaignMessage {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  id: Id<'message'>
  channel: Channel
  /** The topic of the message. */
  topic: string | null
  contactId: Id<'contact'>
  /** The normalised address, or the number (E.164). */
  to: string
  /** The hash under which suppressions store the address. */
  mark: Buffer
  templateId: Id<'template'>
  templateVersionId: Id<'templateVersion'>
  /** The bits of the filters of its blocks that the contact fits. */
  shownBlocks?: number | null
}

interface SendOrigin {
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  now: Date
}

function insertForCampaign(
  tx: Tx,
  rows: readonly CampaignMessage[],
  { connectionId, callId, now }: SendOrigin,
): Promise<number> {
  return tx.run(sql`
    insert into messages (business_id, id, channel, kind, contact_id, campaign_id, topic, recipient,
      recipient_mark, template_id, template_version_id, shown_blocks, state, attempts, due_at, queued_at,
      connection_id, call_id, created_at, updated_at)
    select business_id, id, channel, 'marketing', contact_id, campaign_id, topic, recipient, mark, template_id,
      template_version_id, shown_blocks, 'queued', 0, ${now}, ${now}, ${connectionId}, ${callId}, ${now}, ${now}
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.campaignId)}::uuid[],
      ${rows.map((row) => row.topic)}::text[],
      ${rows.map((row) => row.to)}::text[],
      ${rows.map((row) => row.mark)}::bytea[],
      ${rows.map((row) => row.templateId)}::uuid[],
      ${rows.map((row) => row.templateVersionId)}::uuid[],
      ${rows.map((row) => row.shownBlocks ?? null)}::smallint[]
    ) as new (business_id, id, channel, contact_id, campaign_id, topic, recipient, mark, template_id,
      template_version_id, shown_blocks)
  `)
}
