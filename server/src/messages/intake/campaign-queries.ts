/** The statement that inserts a campaign's messages. */

import type { Channel } from '../../contacts/contact.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

export interface CampaignMessage {
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
}

interface Sent {
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  now: Date
}

export function insertForCampaign(
  tx: Tx,
  rows: readonly CampaignMessage[],
  { connectionId, callId, now }: Sent,
): Promise<number> {
  return tx.run(sql`
    insert into messages (business_id, id, channel, kind, contact_id, campaign_id, topic, recipient,
      recipient_mark, template_id, template_version_id, state, attempts, due_at, queued_at,
      connection_id, call_id, created_at, updated_at)
    select business_id, id, channel, 'marketing', contact_id, campaign_id, topic, recipient, mark, template_id,
      template_version_id, 'queued', 0, ${now}, ${now}, ${connectionId}, ${callId}, ${now}, ${now}
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
      ${rows.map((row) => row.templateVersionId)}::uuid[]
    ) as new (business_id, id, channel, contact_id, campaign_id, topic, recipient, mark, template_id,
      template_version_id)
  `)
}
