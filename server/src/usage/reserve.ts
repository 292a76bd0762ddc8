/**
 * What a business has used, and whether its tier allows more. Limits are enforced exactly, however
 * many calls run at once: the counter's row is locked before it is read, and unlocked when the
 * transaction that uses it ends.
 */
import { tierLimits } from '../accounts/businesses/tiers.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { type Tier, tiers } from '../core/operation.ts'
import { emitAll, type NewEvent } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Log } from '../lib/process/log.ts'
import { type Clock, seconds } from '../lib/time/clock.ts'

export interface Reservation {
  businessId: Id<'business'>
  metric: LimitedMetric
  amount: number
  tier: Tier
  /** Whether a part of the amount may be granted. Otherwise all of it or nothing is granted. */
  partial: boolean
  /** Grants only whole multiples of this number, such as the segments of a text. */
  each?: number
}

/**
 * Takes amounts from the tiers' remaining allowance. Returns how much each request was granted, in
 * order. Writes `usage.threshold` where a monthly metric crosses a threshold for the first time in
 * its month.
 */
export async function reserve(tx: Tx, requests: Reservation[], now: Date): Promise<number[]> {
  const { granted, take } = await computeAllowance(tx, requests, { now })
  await take()
  return granted
}

/** The remaining allowance for a set of requests, with the counters locked. */
interface Allowance {
  /** How much each request may take, in order. */
  granted: number[]
  /** Takes the granted amounts. A separate step, for callers that write more at the same time. */
  take(): Promise<void>
}

/**
 * The amounts of counters that this transaction holds locked, by business and metric. What is taken
 * in the transaction is added, so that nothing has to be read again.
 */
export type HeldCounters = Map<string, number>

/**
 * Computes what `reserve` would grant. Limited counters stay locked until the transaction ends.
 * Where `lockedCounters` has all of them, nothing waits for the database; what is taken is then added to
 * `later`, if that is given, instead of being counted, and the caller counts it once (`countTaken`).
 */
export async function computeAllowance(
  tx: Tx,
  requests: Reservation[],
  {
    now,
    lockedCounters,
    later,
  }: { now: Date; lockedCounters?: HeldCounters | undefined; later?: Counter[] | undefined },
): Promise<Allowance> {
  const groups = Map.groupBy(requests, nameOf)
  const limited = [...groups.values()].flatMap(([first]) =>
    first && limitOf(first) !== null ? [keyOf(first)] : [],
  )
  const isHeld = lockedCounters && limited.every((key) => lockedCounters.has(nameOf(key)))
  const before = isHeld ? lockedCounters : await lockCounters(tx, limited, now)

  const granted = new Map<Reservation, number>()
  const counters: Counter[] = []
  const events: Crossing[] = []
  for (const [name, entries] of groups) {
    const [first] = entries
    if (!first) continue
    const limit = limitOf(first)
    const used = before.get(name) ?? 0
    let total = 0
    for (const entry of entries) {
      const amount = amountThatFits(entry, limit === null ? Infinity : limit - used - total)
      granted.set(entry, amount)
      total += amount
    }
    if (total === 0) continue
    counters.push({ ...keyOf(first), amount: total })
    // What exists now has no month in which it could reach a threshold for the first time.
    if (limit !== null && isMonthly(first.metric)) {
      events.push(...crossings(first, { limit, used, total }))
    }
  }
  return {
    granted: requests.map((entry) => granted.get(entry) ?? 0),
    async take() {
      for (const counter of counters) {
        const name = nameOf(counter)
        lockedCounters?.set(name, (lockedCounters.get(name) ?? 0) + counter.amount)
      }
      const isLater = isHeld && later !== undefined
      if (isLater) later.push(...counters)
      await Promise.all([!isLater && count(tx.pipelined, counters, now), announce(tx, events, now)])
    },
  }
}

/** Counts what several allowances of one transaction took. */
export async function countTaken(tx: Tx, counters: readonly Counter[], now: Date): Promise<void> {
  await count(tx, summed(counters), now)
}

/** Returns failed or erased amounts to the month and day of `at`. */
export async function release(tx: Tx, returned: Counter[], at: Date): Promise<void> {
  const counters = summed(returned)
  for (const counter of counters) counter.amount = -counter.amount
  await count(tx, counters, at)
}

/** One counter for each business and metric. */
function summed(counters: readonly Counter[]): Counter[] {
  const sums = new Map<string, Counter>()
  for (const counter of counters) {
    const sum = sums.get(nameOf(counter))
    if (sum) sum.amount += counter.amount
    else sums.set(nameOf(counter), { ...keyOf(counter), amount: counter.amount })
  }
  return [...sums.values()]
}

/**
 * Locks standing counters without taking from them, for changes that must not run at the same time
 * as a reservation, such as moving an address from one contact to another.
 */
export async function lockStandingCounters(tx: Tx, keys: CounterKey[]): Promise<HeldCounters> {
  if (keys.length === 0) return new Map()
  const [, rows] = await Promise.all([openStanding(tx, keys), lockStanding(tx, keys)])
  return new Map(rows.map((row) => [nameOf(row), row.amount]))
}

const nameOf = ({ businessId, metric }: CounterKey) => `${businessId} ${metric}`

const keyOf = ({ businessId, metric }: CounterKey): CounterKey => ({ businessId, metric })

function limitOf({ tier, metric }: Reservation): number | null {
  return tierLimits[tier][metric]
}

function amountThatFits({ amount, partial, each = 1 }: Reservation, room: number): number {
  if (amount <= room) return amount
  return partial ? Math.max(0, Math.floor(room / each) * each) : 0
}

async function lockCounters(
  tx: Tx,
  keys: CounterKey[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const standing = keys.filter(({ metric }) => !isMonthly(metric))
  const monthly = keys.filter(({ metric }) => isMonthly(metric))
  const rows: Counter[] = []
  if (standing.length > 0) {
    await openStanding(tx, standing)
    rows.push(...(await lockStanding(tx, standing)))
  }
  if (monthly.length > 0) {
    await openMonthly(tx, monthly, monthOf(now))
    rows.push(...(await lockMonthly(tx, monthly, monthOf(now))))
  }
  return new Map(rows.map((row) => [nameOf(row), row.amount]))
}

async function count(tx: Tx, counters: Counter[], now: Date): Promise<void> {
  if (counters.length === 0) return
  const standing = counters.filter(({ metric }) => !isMonthly(metric))
  const monthly = counters.filter(({ metric }) => isMonthly(metric))
  const day = dayOf(now)
  await Promise.all([
    standing.length > 0 && countStanding(tx, standing),
    monthly.length > 0 && countMonthly(tx, monthly, monthOf(now)),
    addUsage(
      tx,
      counters.map((counter) => ({ ...counter, day })),
    ),
  ])
}

interface Crossing {
  entry: Reservation
  step: (typeof thresholds)[number]
  used: number
  limit: number
}

function crossings(
  entry: Reservation,
  { limit, used, total }: { limit: number; used: number; total: number },
): Crossing[] {
  return thresholds
    .filter((step) => used * 100 < limit * step && (used + total) * 100 >= limit * step)
    .map((step) => ({ entry, step, used: used + total, limit }))
}

async function announce(tx: Tx, crossed: Crossing[], now: Date): Promise<void> {
  if (crossed.length === 0) return
  const month = monthOf(now)
  const steps = crossed.map(({ entry, step }) => ({ ...keyOf(entry), step }))
  const first = await markCrossed(tx, steps, month, now)
  const isFirst = new Set(first.map((row) => `${row.businessId} ${row.metric} ${row.step}`))
  const events = crossed
    .filter(({ entry, step }) => isFirst.has(`${entry.businessId} ${entry.metric} ${step}`))
    .map(
      ({ entry, step, used, limit }): NewEvent => ({
        businessId: entry.businessId,
        type: 'usage.threshold',
        data: { metric: entry.metric, threshold: step, used, limit, tier: entry.tier, month },
      }),
    )
  await emitAll(tx, events, now)
}

interface CounterKey {
  businessId: Id<'business'>
  metric: LimitedMetric
}

export interface Counter extends CounterKey {
  amount: number
}

/** Creates the rows that `lockStanding` locks. */
function openStanding(tx: Tx, keys: CounterKey[]): Promise<number> {
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
function lockStanding(tx: Tx, keys: CounterKey[]): Promise<Counter[]> {
  return tx.all(sql`
    select u.business_id as "businessId", u.metric, u.amount
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.metric)}::text[]
    ) as asked (business_id, metric)
    join usage_standing u on u.business_id = asked.business_id and u.metric = asked.metric
    order by u.business_id, u.metric for update of u
  `)
}

function openMonthly(tx: Tx, keys: CounterKey[], month: string): Promise<number> {
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

function lockMonthly(tx: Tx, keys: CounterKey[], month: string): Promise<Counter[]> {
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
function countStanding(tx: Tx, counters: Counter[]): Promise<number> {
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

function countMonthly(tx: Tx, counters: Counter[], month: string): Promise<number> {
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
interface Step extends CounterKey {
  step: number
}

/** Records thresholds as crossed in this month. Returns those that were not yet recorded. */
function markCrossed(tx: Tx, steps: Step[], month: string, now: Date): Promise<Step[]> {
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

interface UsageDelta {
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

/**
 * The metrics that are counted for a business. Monthly metrics start at zero with each calendar
 * month (UTC). Standing metrics count objects that exist now.
 */
export const monthlyMetrics = ['calls', 'emails', 'sms'] as const
export const standingMetrics = ['contacts', 'domains', 'webhooks', 'members'] as const

export type MonthlyMetric = (typeof monthlyMetrics)[number]
export type StandingMetric = (typeof standingMetrics)[number]
export type Metric = MonthlyMetric | StandingMetric
/** Metrics that a tier limits. */
export type LimitedMetric = Exclude<Metric, 'calls'>

export function isMonthly(metric: Metric): metric is MonthlyMetric {
  return (monthlyMetrics as readonly Metric[]).includes(metric)
}

/** Percentages of a monthly limit at which `usage.threshold` is sent (contract 9.8). */
export const thresholds = [50, 80, 100] as const

/** The UTC day of a moment: `2026-11-20`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** The first day of a month that is written like `2026-11`; undefined if it is not one. */
export function firstDayOf(month: string): string | undefined {
  const moment = new Date(`${month}-01T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && monthOf(moment) === `${month}-01`
    ? `${month}-01`
    : undefined
}

/** The first UTC day of a moment's month: `2026-11-01`. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`
}

/** The refusal if `reserve` granted nothing. It names the limit, and the tier that has more. */
export function overLimit(metric: LimitedMetric, tier: Tier): Refusal {
  const limit = tierLimits[tier][metric]
  const roomy = tiers.find((other) => {
    const room = tierLimits[other][metric]
    return room === null || (limit !== null && room > limit)
  })
  const per = isMonthly(metric) ? ' a month' : ''
  const text = `The tier ${tier} allows ${limit} ${metric}${per}, and they are used up. The tier ${roomy} allows more.`
  return refuse('tier_required', text, {
    fix: { tool: 'meta.usage', arguments: {} },
    data: { tier: roomy, metric, limit },
  })
}

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

export interface CallCounter {
  count(businessId: Id<'business'>): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/**
 * Counts calls in memory and writes the counts once a second, because a durable row per request
 * would cost more than most requests do. A crash loses at most one second of this statistic, which
 * is neither billed nor limited.
 */
export function createCallCounter(deps: { db: Db; clock: Clock; log: Log }): CallCounter {
  let day = dayOf(deps.clock.now())
  let counts = new Map<Id<'business'>, number>()

  const flush = async () => {
    const today = dayOf(deps.clock.now())
    const pending = [...counts]
    const countedOn = day
    counts = new Map()
    day = today
    if (pending.length === 0) return
    try {
      await addUsage(
        deps.db,
        pending.map(([businessId, amount]) => ({
          businessId,
          metric: 'calls',
          day: countedOn,
          amount,
        })),
      )
    } catch (error) {
      // Puts the counts back. The database may be restarting, and the next second tries again.
      for (const [id, amount] of pending) counts.set(id, (counts.get(id) ?? 0) + amount)
      deps.log.warn({ err: error }, 'usage.flush_failed')
    }
  }

  const timer = setInterval(() => void flush(), seconds(1))
  timer.unref()
  return {
    count(businessId) {
      counts.set(businessId, (counts.get(businessId) ?? 0) + 1)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
