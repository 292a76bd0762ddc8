/** What many businesses use, for the operator's list. */
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { monthOf } from './reserve.ts'

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
