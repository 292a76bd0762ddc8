/** Statements that read the usage of many businesses at once. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

interface UsedBy {
  businessId: Id<'business'>
  metric: string
  amount: number
}

export function standingOfEach(db: Db, businesses: readonly Id<'business'>[]): Promise<UsedBy[]> {
  return db.all(sql`
    select business_id as "businessId", metric, amount from usage_standing
    where business_id = any (${[...businesses]}::uuid[]) and metric = 'contacts'
  `)
}

export function monthOfEach(
  db: Db,
  businesses: readonly Id<'business'>[],
  firstDay: string,
): Promise<UsedBy[]> {
  return db.all(sql`
    select business_id as "businessId", metric, sum(amount)::bigint as amount from usage_days
    where business_id = any (${[...businesses]}::uuid[]) and day >= ${firstDay}::date
      and metric in ('emails', 'sms')
    group by business_id, metric
  `)
}
