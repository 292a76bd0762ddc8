/** What many businesses use, for the operator's list. */

import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { monthOf } from './metrics.ts'
import { monthOfEach, standingOfEach } from './overview-queries.ts'

export interface UsageNow {
  contacts: number
  /** This month. */
  emails: number
  sms: number
}

export async function usageOfEach(
  db: Db,
  businesses: readonly Id<'business'>[],
  now: Date,
): Promise<Map<Id<'business'>, UsageNow>> {
  const used = new Map(businesses.map((id) => [id, { contacts: 0, emails: 0, sms: 0 }]))
  const rows = [
    ...(await standingOfEach(db, businesses)),
    ...(await monthOfEach(db, businesses, monthOf(now))),
  ]
  for (const { businessId, metric, amount } of rows) {
    const entry = used.get(businessId)
    if (entry && (metric === 'contacts' || metric === 'emails' || metric === 'sms')) {
      entry[metric] = amount
    }
  }
  return used
}
