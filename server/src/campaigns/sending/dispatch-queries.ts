/** Statements that dispatch recipients: turn them into messages. */

import { covers } from '../../contacts/consent/covers.ts'
import type { Id } from '../../core/ids.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { CampaignChannel } from '../model/campaign.ts'
import type { RecipientState } from '../model/recipient.ts'
import type { RunKey } from '../model/run-queries.ts'

export interface NextRecipient {
  contactId: Id<'contact'>
  variant: number | null
  /** Null if the contact no longer exists, or no longer has such an address. */
  address: string | null
  mark: Buffer | null
  consent: string | null
  /** Whether the contact's choices cover the topic; null where the contact is gone. */
  isCovered: boolean | null
  zone: string | null
}

interface NextRecipientsQuery extends RunKey {
  channel: CampaignChannel
  topic: string | null
  limit: number
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** The next recipients in the order of contacts, without those who have a local hour. */
export function findNext(
  db: Db,
  { businessId, campaignId, channel, topic, limit }: NextRecipientsQuery,
  after: Id<'contact'> | null,
): Promise<NextRecipient[]> {
  return db.all(
    plannedAnew(sqlWithin`
      select r.contact_id as "contactId", r.variant,
        case when ${channel} = 'email' then c.email else c.phone end as address,
        case when ${channel} = 'email' then c.email_mark else c.phone_mark end as mark,
        case when ${channel} = 'email' then c.email_consent else c.sms_consent end as consent,
        ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as "isCovered",
        c.attributes ->> 'time_zone' as zone
      from (
        select contact_id, variant from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and contact_id > ${after ?? oldest} and state = 'pending' and due_at is null
        order by contact_id limit ${limit}
      ) r
      left join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
      order by r.contact_id
    `),
  )
}

/** Recipients whose local hour has come. */
export function findTimed(
  db: Db,
  { businessId, campaignId, channel, topic, limit }: NextRecipientsQuery,
  now: Date,
): Promise<NextRecipient[]> {
  return db.all(
    plannedAnew(sqlWithin`
      select r.contact_id as "contactId", r.variant,
        case when ${channel} = 'email' then c.email else c.phone end as address,
        case when ${channel} = 'email' then c.email_mark else c.phone_mark end as mark,
        case when ${channel} = 'email' then c.email_consent else c.sms_consent end as consent,
        ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as "isCovered",
        c.attributes ->> 'time_zone' as zone
      from (
        select contact_id, variant from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and due_at <= ${now} and state = 'pending'
        order by due_at limit ${limit}
      ) r
      left join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
    `),
  )
}

/** When the next recipient with a local hour is due, among those not dispatched yet. */
export function nextHour(
  db: Db,
  { businessId, campaignId }: RunKey,
): Promise<{ at: Date; reason: string | null } | undefined> {
  return db.maybe(
    plannedAnew(sql`
      select due_at as at, reason from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and due_at is not null and state = 'pending'
      order by due_at limit 1
    `),
  )
}

export interface DispatchedRow {
  contactId: Id<'contact'>
  state: RecipientState
  reason: string | null
  messageId: Id<'message'> | null
  /** When the recipient is looked at again. */
  dueAt: Date | null
}

/**
 * Uses `any` in addition to the join, which alone reads the whole campaign while the planner
 * expects a single row.
 */
export function updateDispatched(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  rows: DispatchedRow[],
  now: Date,
): Promise<number> {
  const contactIds = rows.map((row) => row.contactId)
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r
      set state = new.state, reason = new.reason, message_id = new.message_id,
        due_at = new.due_at, updated_at = ${now}
      from unnest(
        ${contactIds}::uuid[],
        ${rows.map((row) => row.state)}::text[],
        ${rows.map((row) => row.reason)}::text[],
        ${rows.map((row) => row.messageId)}::uuid[],
        ${rows.map((row) => row.dueAt)}::timestamptz[]
      ) as new (contact_id, state, reason, message_id, due_at)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.contact_id = any(${contactIds}::uuid[])
        and r.contact_id = new.contact_id and r.state = 'pending'
    `),
  )
}

/** Cancels up to `limit` recipients who were not dispatched; returns them. */
export function cancelPending(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { after, limit, now }: { after: Id<'contact'> | null; limit: number; now: Date },
): Promise<{ id: Id<'contact'>; variant: number }[]> {
  return tx.all(
    plannedAnew(sql`
      update campaign_recipients
      set state = 'cancelled', reason = 'campaign_cancelled', due_at = null, updated_at = ${now}
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and contact_id = any(array(
          select contact_id from campaign_recipients
          where business_id = ${businessId} and campaign_id = ${campaignId}
            and contact_id > ${after ?? oldest} and state = 'pending'
          order by contact_id limit ${limit}
        ))
      returning contact_id as id, coalesce(variant, 0)::int as variant
    `),
  )
}

/** Messages of dispatched recipients that have not reached a final state. */
export function findOpenMessages(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { from, limit }: { from: Id<'contact'>; limit: number },
): Promise<{ contactId: Id<'contact'>; messageId: Id<'message'> }[]> {
  return tx.all(
    plannedAnew(sql`
      select contact_id as "contactId", message_id as "messageId" from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and contact_id >= ${from} and state = 'taken' and message_id is not null
      order by contact_id limit ${limit}
    `),
  )
}
