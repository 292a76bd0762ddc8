/** Statements that read a campaign's counters. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** The final states that recipients of the frozen audience reach while the campaign is sent. */
export const recipientEnds: readonly string[] = [
  'sent',
  'failed',
  'unknown',
  'cancelled',
  'skipped:unsubscribed',
  'skipped:erased',
]

export function listCounts(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<{ variant: number; metric: string; amount: number }[]> {
  return db.all(sql`
    select variant, metric, sum(amount)::bigint as amount from campaign_counts
    where business_id = ${businessId} and campaign_id = ${campaignId}
    group by variant, metric having sum(amount) <> 0 order by variant, metric
  `)
}

/** How many messages were sent so far. */
export async function sentOf(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<number> {
  const { sent } = await db.one<{ sent: number }>(sql`
    select coalesce(sum(amount), 0)::bigint as sent from campaign_counts
    where business_id = ${businessId} and campaign_id = ${campaignId} and metric = 'sent'
  `)
  return sent
}
