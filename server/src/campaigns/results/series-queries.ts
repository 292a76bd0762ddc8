/** The statements about what came of campaigns over time. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface SeriesDelta {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  metric: string
  amount: number
}

export function addToSeries(
  tx: Tx,
  { at, slot }: { at: Date; slot: number },
  rows: readonly SeriesDelta[],
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

export interface SeriesSpan {
  first: Date | null
  last: Date | null
}

export function seriesSpan(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<SeriesSpan> {
  return db.one(sql`
    select min(at) as first, max(at) as last from campaign_series
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

/** In steps of so many seconds, the oldest first. */
export function listSeries(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, step }: { campaignId: Id<'campaign'>; step: number },
): Promise<{ at: Date; metric: string; amount: number }[]> {
  return db.all(sql`
    select to_timestamp(floor(extract(epoch from at) / ${step}::int) * ${step}::int) as at, metric,
      sum(amount)::bigint as amount
    from campaign_series
    where business_id = ${businessId} and campaign_id = ${campaignId}
    group by 1, 2 order by 1, 2
  `)
}
