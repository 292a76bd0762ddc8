/**
 * What campaigns and automations brought in: events with a value, such as orders, belong to the mail
 * whose link the person followed last in the days before (`attribution_days` of the business).
 */
import { type Id, parseId } from '../../core/ids.ts'
import { ids, sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'

export const revenueView = Type.Array(
  Type.Object({
    currency: Type.Union([Type.String(), Type.Null()]),
    orders: Type.Integer(),
    refunds: Type.Integer(),
    value: Type.Number(),
  }),
)

export interface Revenue {
  currency: string | null
  orders: number
  /** Events with a value below 0, which the value counts off. */
  refunds: number
  value: number
}

interface Purchase {
  id: Id<'activity'>
  contactId: Id<'contact'>
  at: Date
}

interface Origin {
  campaignId: Id<'campaign'> | null
  sequenceId: Id<'sequence'> | null
}

/** What sent the mail whose link each person followed last before; links that machines follow do not count. */
export async function lastFollowed(
  tx: Tx,
  businessId: Id<'business'>,
  purchases: readonly Purchase[],
): Promise<Map<Id<'activity'>, Origin>> {
  if (purchases.length === 0) return new Map()
  const clicks = await tx.all<{
    id: Id<'activity'>
    campaignId: Id<'campaign'> | null
    sequence: string | null
  }>(sql`
    select new.id, click.campaign_id as "campaignId", m.labels ->> 'sequence_id' as sequence
    from unnest(
      ${ids(purchases.map(({ id }) => id))}::uuid[],
      ${ids(purchases.map(({ contactId }) => contactId))}::uuid[],
      ${purchases.map(({ at }) => at)}::timestamptz[]
    ) as new (id, contact_id, at)
    cross join lateral (
      select a.campaign_id, a.message_id from contact_activity a
      where a.business_id = ${businessId} and a.contact_id = new.contact_id
        and a.type = 'message.clicked' and a.machine is not true
        and a.created_at >= new.at - make_interval(days => (
          select attribution_days from businesses where id = ${businessId}))
        and a.created_at <= new.at
      order by a.created_at desc, a.id desc limit 1
    ) click
    left join messages m on m.business_id = ${businessId} and m.id = click.message_id
  `)
  return new Map(
    clicks.map(({ id, campaignId, sequence }) => [
      id,
      { campaignId, sequenceId: (sequence && parseId('sequence', sequence)) || null },
    ]),
  )
}

/** The revenue of a campaign, by currency, for the campaigns domain. */
export function campaignRevenue(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<Revenue[]> {
  return db.all(sql`
    select currency, sum(orders)::bigint as orders, sum(refunds)::bigint as refunds,
      sum(value)::float8 as value
    from (
      select currency, count(*) filter (where value >= 0) as orders,
        count(*) filter (where value < 0) as refunds, sum(value) as value
      from own_events
      where business_id = ${businessId} and campaign_id = ${campaignId}
      group by currency
      union all
      select nullif(currency, ''), orders, refunds, value
      from campaign_past_revenue
      where business_id = ${businessId} and campaign_id = ${campaignId}
    ) earned
    group by currency order by currency
  `)
}

/** The revenue of a sequence, of all its versions, by currency. */
export function sequenceRevenue(
  db: Db,
  businessId: Id<'business'>,
  sequenceId: Id<'sequence'>,
): Promise<Revenue[]> {
  return db.all(sql`
    select currency, sum(orders)::bigint as orders, sum(refunds)::bigint as refunds,
      sum(value)::float8 as value
    from (
      select currency, count(*) filter (where value >= 0) as orders,
        count(*) filter (where value < 0) as refunds, sum(value) as value
      from own_events
      where business_id = ${businessId} and sequence_id = ${sequenceId}
      group by currency
      union all
      select nullif(currency, ''), orders, refunds, value
      from sequence_past_revenue
      where business_id = ${businessId} and sequence_id = ${sequenceId}
    ) earned
    group by currency order by currency
  `)
}
