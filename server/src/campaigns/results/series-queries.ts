/** Statements about a campaign's results over time. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

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

/** Points in steps of `step` seconds, oldest first. */
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
