/** Statements that update recipients and counters by the outcomes of messages. */

import type { Id } from '../../core/ids.ts'
import { plannedAnew, sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { RecipientState } from '../model/recipient.ts'

export interface RecipientKey {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  contactId: Id<'contact'>
}

export interface LockedRecipient extends RecipientKey {
  messageId: Id<'message'> | null
  variant: number | null
  state: RecipientState
  marks: number
}

/**
 * Locks recipients in a fixed order, each looked up separately, as in `contacts/saving/queries.ts`.
 */
export function lockRecipients(tx: Tx, keys: RecipientKey[]): Promise<LockedRecipient[]> {
  return tx.all(
    plannedAnew(sql`
      select r.business_id as "businessId", r.campaign_id as "campaignId",
        r.contact_id as "contactId", r.message_id as "messageId", r.variant, r.state, r.marks
      from (
        select distinct * from unnest(
          ${keys.map((key) => key.businessId)}::uuid[],
          ${keys.map((key) => key.campaignId)}::uuid[],
          ${keys.map((key) => key.contactId)}::uuid[]
        ) as asked (business_id, campaign_id, contact_id)
        order by business_id, campaign_id, contact_id
      ) asked
      cross join lateral (
        select * from campaign_recipients
        where business_id = asked.business_id and campaign_id = asked.campaign_id
          and contact_id = asked.contact_id
        limit 1 for no key update
      ) r
    `),
  )
}

export interface RecipientChange extends RecipientKey {
  state: RecipientState
  reason: string | null
  marks: number
}

export function updateRecipients(tx: Tx, rows: RecipientChange[], now: Date): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r
      set state = new.state, reason = new.reason, marks = new.marks, updated_at = ${now}
      from unnest(
        ${rows.map((row) => row.businessId)}::uuid[],
        ${rows.map((row) => row.campaignId)}::uuid[],
        ${rows.map((row) => row.contactId)}::uuid[],
        ${rows.map((row) => row.state)}::text[],
        ${rows.map((row) => row.reason)}::text[],
        ${rows.map((row) => row.marks)}::smallint[]
      ) as new (business_id, campaign_id, contact_id, state, reason, marks)
      where r.business_id = new.business_id and r.campaign_id = new.campaign_id
        and r.contact_id = new.contact_id
    `),
  )
}

export interface CountDelta {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  variant: number
  metric: string
  amount: number
}

export function addToCounts(tx: Tx, slot: number, rows: CountDelta[]): Promise<number> {
  return tx.run(sql`
    insert into campaign_counts (business_id, campaign_id, slot, variant, metric, amount)
    select business_id, campaign_id, ${slot}, variant, metric, amount
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.campaignId)}::uuid[],
      ${rows.map((row) => row.variant)}::smallint[],
      ${rows.map((row) => row.metric)}::text[],
      ${rows.map((row) => row.amount)}::bigint[]
    ) as new (business_id, campaign_id, variant, metric, amount)
    order by business_id, campaign_id, variant, metric
    on conflict (business_id, campaign_id, slot, variant, metric) do update
    set amount = campaign_counts.amount + excluded.amount
  `)
}

export function addToSeries(
  tx: Tx,
  { at, slot }: { at: Date; slot: number },
  rows: readonly Omit<CountDelta, 'variant'>[],
): Promise<number> {
  return tx.run(sql`
    insert into campaign_series (business_id, campaign_id, at, metric, slot, amount)
    select business_id, campaign_id, ${at}, metric, ${slot}, sum(amount)
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.campaignId)}::uuid[],
      ${rows.map((row) => row.metric)}::text[],
      ${rows.map((row) => row.amount)}::bigint[]
    ) as new (business_id, campaign_id, metric, amount)
    group by business_id, campaign_id, metric
    order by business_id, campaign_id, metric
    on conflict (business_id, campaign_id, at, metric, slot) do update
    set amount = campaign_series.amount + excluded.amount
  `)
}
