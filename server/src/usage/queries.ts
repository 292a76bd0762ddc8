/** The statements that read usage. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

export interface UsageDay {
  day: string
  metric: string
  amount: number
}

/** From the first day until the month after it begins. */
export function usageInMonth(
  db: Db,
  businessId: Id<'business'>,
  firstDay: string,
): Promise<UsageDay[]> {
  return db.all<UsageDay>(sql`
    select day::text, metric, amount from usage_days
    where business_id = ${businessId} and day >= ${firstDay}::date
      and day < ${firstDay}::date + interval '1 month'
    order by day, metric
  `)
}

/**
 * The month in which the business was made, or an earlier one that has counts, as demo data and
 * restored businesses do.
 */
export async function firstMonthOf(db: Db, businessId: Id<'business'>): Promise<string> {
  const { first } = await db.one<{ first: string }>(sql`
    select least(
      date_trunc('month', b.created_at at time zone 'UTC')::date,
      (select min(month) from usage_months where business_id = ${businessId})
    )::text as first
    from businesses b where b.id = ${businessId}
  `)
  return first
}

/** The standing counts. Members are counted in their table. Other counters are maintained. */
export function standingUsage(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ metric: string; amount: number }[]> {
  return db.all(sql`
    select metric, amount from usage_standing where business_id = ${businessId}
    union all
    select 'members', count(*) from memberships where business_id = ${businessId}
  `)
}
