/** Finds the message that a link to the view in a browser belongs to. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Message } from '../model/message.ts'

export interface MessageToView extends Message {
  /** The recipient's, as a BCP 47 tag. */
  contactLanguage: string | null
}

/** Undefined also if its recipient was erased. */
export function findToView(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'message'> },
): Promise<MessageToView | undefined> {
  return db.maybe(sql`
    select m.business_id as "businessId", m.id, m.channel, m.kind, m.is_reply as "isReply",
      m.contact_id as "contactId", m.campaign_id as "campaignId", m.recipient as "to",
      m.template_version_id as "templateVersionId", m.state, m.attempts,
      m.due_at as "dueAt", m.queued_at as "queuedAt", null as zone,
      c.tracking_consent as "trackingConsent", c.language as "contactLanguage"
    from messages m
    join contacts c on c.business_id = m.business_id and c.id = m.contact_id
    where m.business_id = ${businessId} and m.id = ${id}
      and m.channel = 'email' and m.kind = 'marketing' and m.recipient <> 'erased'
  `)
}
