/** Every statement that touches usage counters. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

export interface UsageDelta {
  businessId: Id<'business'>
  metric: string
  /** The UTC day, `2026-11-20`. */
  day: string
  amount: number
}

export interface UsageDay {
  day: string
  metric: string
  amount: number
}

/** Adds many counts at once, each to one row, in a fixed order so that flushes never deadlock. */
export function addUsage(db: Db, deltas: UsageDelta[]): Promise<number> {
  return db.run(sql`
    insert into usage_days (business_id, metric, day, amount)
    select business_id, metric, day, amount
    from unnest(
      ${deltas.map((delta) => delta.businessId)}::uuid[],
      ${deltas.map((delta) => delta.metric)}::text[],
      ${deltas.map((delta) => delta.day)}::date[],
      ${deltas.map((delta) => delta.amount)}::bigint[]
    ) as delta (business_id, metric, day, amount)
    order by business_id, metric, day
    on conflict (business_id, metric, day)
    do update set amount = usage_days.amount + excluded.amount
  `)
}

export function usageSince(
  db: Db,
  businessId: Id<'business'>,
  firstDay: string,
): Promise<UsageDay[]> {
  return db.all<UsageDay>(sql`
    select day::text, metric, amount from usage_days
    where business_id = ${businessId} and day >= ${firstDay}::date
    order by day, metric
  `)
}

/** The standing counts. Members are counted from their table; the other counters are maintained. */
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
