import { tierLimits } from '../accounts/businesses/tiers.ts'
import type { Id } from '../core/ids.ts'
import type { Tier } from '../core/operation.ts'
import type { Db } from '../lib/db/types.ts'
import { monthOf } from './metrics.ts'
import { findMonthly } from './reserve.ts'

export interface LeftThisMonthQuery {
  businessId: Id<'business'>
  tier: Tier
  metric: 'emails' | 'sms'
  now: Date
}

/** The amount that the tier still allows this month. Null means unlimited. It reserves nothing. */
export async function leftThisMonth(
  db: Db,
  { businessId, tier, metric, now }: LeftThisMonthQuery,
): Promise<number | null> {
  const limit = tierLimits[tier][metric]
  if (limit === null) return null
  const counted = await findMonthly(db, { businessId, metric }, monthOf(now))
  return Math.max(0, limit - (counted?.amount ?? 0))
}
