/** Statements that count: they lock and add to counters, and record crossed thresholds. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { LimitedMetric } from './metrics.ts'

export interface CounterKey {
  businessId: Id<'business'>
  metric: LimitedMetric
}

export interface Counter extends CounterKey {
  amount: number
}

/** Creates the rows that `lockStanding` locks. */
export function openStanding(tx: Tx, keys: CounterKey[]): Promise<number> {
  return tx.run(sql`
    insert into usage_standing (business_id, metric, amount)
    select business_id, metric, 0
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.metric)}::text[]
    ) as key (business_id, metric)
    order by business_id, metric
    on conflict (business_id, metric) do nothing
  `)
}

/** Reads the current counts and locks their rows, in a fixed order against deadlocks. */
export function lockStanding(tx: Tx, keys: CounterKey[]): Promise<Counter[]> {
  return tx.all(sql`
    select u.business_id as "businessId", u.metric, u.amount
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.metric)}::text[]
    ) as asked (business_id, metric)
    join usage_standing u on u.business_id = asked.business_id and u.metric = asked.metric
    order by u.business_id, u.metric for update of u
  `)
}

export function openMonthly(tx: Tx, keys: CounterKey[], month: string): Promise<number> {
  return tx.run(sql`
    insert into usage_months (business_id, metric, month, amount)
    select business_id, metric, ${month}::date, 0
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.metric)}::text[]
    ) as key (business_id, metric)
    order by business_id, metric
    on conflict (business_id, metric, month) do nothing
  `)
}

export function lockMonthly(tx: Tx, keys: CounterKey[], month: string): Promise<Counter[]> {
  return tx.all(sql`
    select u.business_id as "businessId", u.metric, u.amount
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.metric)}::text[]
    ) as asked (business_id, metric)
    join usage_months u on u.business_id = asked.business_id and u.metric = asked.metric
      and u.month = ${month}::date
    order by u.business_id, u.metric for update of u
  `)
}

/** Reads the current count without a lock. Other transactions may be adding to it. */
export function findMonthly(
  db: Db,
  { businessId, metric }: CounterKey,
  month: string,
): Promise<{ amount: number } | undefined> {
  return db.maybe(sql`
    select amount from usage_months
    where business_id = ${businessId} and metric = ${metric} and month = ${month}::date
  `)
}

/** Adds to standing counters. An amount never goes below zero. */
export function countStanding(tx: Tx, counters: Counter[]): Promise<number> {
  return tx.run(sql`
    insert into usage_standing (business_id, metric, amount)
    select business_id, metric, amount
    from unnest(
      ${counters.map((counter) => counter.businessId)}::uuid[],
      ${counters.map((counter) => counter.metric)}::text[],
      ${counters.map((counter) => counter.amount)}::bigint[]
    ) as counted (business_id, metric, amount)
    order by business_id, metric
    on conflict (business_id, metric)
    do update set amount = greatest(0, usage_standing.amount + excluded.amount)
  `)
}

export function countMonthly(tx: Tx, counters: Counter[], month: string): Promise<number> {
  return tx.run(sql`
    insert into usage_months (business_id, metric, month, amount)
    select business_id, metric, ${month}::date, amount
    from unnest(
      ${counters.map((counter) => counter.businessId)}::uuid[],
      ${counters.map((counter) => counter.metric)}::text[],
      ${counters.map((counter) => counter.amount)}::bigint[]
    ) as counted (business_id, metric, amount)
    order by business_id, metric
    on conflict (business_id, metric, month)
    do update set amount = greatest(0, usage_months.amount + excluded.amount)
  `)
}

/** A threshold of a limit, in per cent. */
export interface Step extends CounterKey {
  step: number
}

/** Records thresholds as crossed in this month. Returns those that were not yet recorded. */
export function markCrossed(tx: Tx, steps: Step[], month: string, now: Date): Promise<Step[]> {
  return tx.all(sql`
    insert into usage_thresholds (business_id, metric, month, step, crossed_at)
    select business_id, metric, ${month}::date, step, ${now}
    from unnest(
      ${steps.map((step) => step.businessId)}::uuid[],
      ${steps.map((step) => step.metric)}::text[],
      ${steps.map((step) => step.step)}::smallint[]
    ) as crossed (business_id, metric, step)
    order by business_id, metric, step
    on conflict (business_id, metric, month, step) do nothing
    returning business_id as "businessId", metric, step
  `)
}

export interface UsageDelta {
  businessId: Id<'business'>
  metric: string
  /** The UTC day, such as `2026-11-20`. */
  day: string
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
