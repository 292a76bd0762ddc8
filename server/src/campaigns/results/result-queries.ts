/** Statements that show the recipients of a campaign with their outcomes. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface ShownRecipient {
  contactId: Id<'contact'>
  state: string
  reason: string | null
  clause: string | null
  variant: number | null
  messageId: Id<'message'> | null
  /** Infinity for recipients who wait for the winning variant. */
  dueAt: Date | number | null
  updatedAt: Date
}

export function findRecipient(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, contactId }: { campaignId: Id<'campaign'>; contactId: Id<'contact'> },
): Promise<ShownRecipient | undefined> {
  return db.maybe(sql`
    select contact_id as "contactId", state, reason, clause, variant, message_id as "messageId",
      due_at as "dueAt", updated_at as "updatedAt"
    from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId}
      and contact_id = ${contactId}
  `)
}

export interface RecipientPage {
  campaignId: Id<'campaign'>
  state: string | null
  before: Id<'contact'>
  limit: number
}

/** Lists the newest contacts first. Unknown outcomes have an index of their own. */
export function listRecipients(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, state, before, limit }: RecipientPage,
): Promise<ShownRecipient[]> {
  if (state === 'unknown') return listUnknown(db, businessId, { campaignId, before, limit })
  return db.all(sql`
    select contact_id as "contactId", state, reason, clause, variant, message_id as "messageId",
      due_at as "dueAt", updated_at as "updatedAt"
    from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId}
      and contact_id < ${before} and (${state}::text is null or state = ${state})
    order by contact_id desc limit ${limit}
  `)
}

function listUnknown(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, before, limit }: Omit<RecipientPage, 'state'>,
): Promise<ShownRecipient[]> {
  return db.all(sql`
    select contact_id as "contactId", state, reason, clause, variant, message_id as "messageId",
      due_at as "dueAt", updated_at as "updatedAt"
    from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId} and in_doubt
      and contact_id < ${before}
    order by contact_id desc limit ${limit}
  `)
}
