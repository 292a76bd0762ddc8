import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Revenue, revenueOf } from './queries.ts'

export type { Revenue } from './queries.ts'

/** The revenue of a campaign, by currency, for the campaigns domain. */
export function campaignRevenue(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<Revenue[]> {
  return revenueOf(db, businessId, campaignId)
}
