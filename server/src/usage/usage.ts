/**
 * What a business has used of its limits, and the operation that reports it. Read the folder in this
 * order:
 *
 * - `reserve.ts`: counters by month and standing ones, and whether the tier allows more.
 * - `approval-limit.ts`: marketing above it needs a person's approval.
 * - `connection-limit.ts`: how many recipients a connection may order messages to.
 * - `entries.ts`: people whom a connected app lets into automations that a person approved.
 * - `overview.ts`: the use of many businesses, for the operator.
 */
import { tierLimits } from '../accounts/businesses/tiers.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  firstDayOf,
  type Metric,
  monthlyMetrics,
  monthOf,
  standingMetrics,
  thresholds,
} from './reserve.ts'

const counter = Type.Object({
  metric: Type.String(),
  used: Type.Integer(),
  limit: Type.Union([Type.Integer(), Type.Null()]),
  per: Type.Enum(['month', 'standing']),
  thresholds_crossed: Type.Array(Type.Integer()),
})

export interface ProviderTotals {
  /** Null: all further providers together. */
  provider: string | null
  sent: number
  delivered: number
  deferred: number
  refused: number
  bounced: number
  complained: number
  /** Whether the provider reports complaints; without it 0 says nothing. */
  complaints_reported: boolean
}

/** What became of the mail of a business's latest campaigns, by the provider that receives it. */
type ReadProviders = (db: Db, businessId: Id<'business'>, now: Date) => Promise<ProviderTotals[]>

const providerTotals = Type.Object({
  provider: Type.Union([Type.String(), Type.Null()]),
  sent: Type.Integer(),
  delivered: Type.Integer(),
  deferred: Type.Integer(),
  refused: Type.Integer(),
  bounced: Type.Integer(),
  complained: Type.Integer(),
  complaints_reported: Type.Boolean(),
})

/**
 * Counts appear within a second of their call. Limits are enforced exactly elsewhere
 * (`reserve.ts`).
 */
export const usageReport = (readProviders: ReadProviders) =>
  operation({
    name: 'meta.usage',
    title: 'Usage this month',
    area: 'business',
    everyday: true,
    summary:
      "This month's counters (or month's, 2026-10) against the tier's limits, by day. Call it before a large import or campaign. Free.",
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/usage',
    input: { month: Type.Optional(Type.String({ maxLength: 7 })) },
    output: Type.Object({
      business_id: Type.String(),
      tier: Type.String(),
      month: Type.String(),
      first_month: Type.String(),
      counters: Type.Array(counter),
      history: Type.Array(
        Type.Object({
          day: Type.String(),
          metric: Type.String(),
          amount: Type.Integer(),
        }),
      ),
      providers: Type.Array(providerTotals),
    }),

    async run({ db, now, business }, { month: namedMonth }) {
      const current = monthOf(now)
      const month = namedMonth === undefined ? current : firstDayOf(namedMonth)
      if (month === undefined || month > current) throw noSuchMonth(current)
      const [first, history, standing, providers] = await Promise.all([
        firstMonthOf(db, business.id),
        usageInMonth(db, business.id, month),
        // What exists now says nothing about a past month.
        month === current ? standingUsage(db, business.id) : undefined,
        month === current ? readProviders(db, business.id, now) : [],
      ])
      const limits = tierLimits[business.tier]
      const line = (metric: Metric, used: number, per: 'month' | 'standing') => {
        const limit = metric === 'calls' ? null : limits[metric]
        const crossed = limit === null ? [] : thresholds.filter((t) => used * 100 >= limit * t)
        return { metric, used, limit, per, thresholds_crossed: limit === 0 ? [] : [...crossed] }
      }
      const sum = (metric: string) =>
        history.reduce((total, row) => (row.metric === metric ? total + row.amount : total), 0)
      return {
        business_id: formatId('business', business.id),
        tier: business.tier,
        month,
        first_month: first,
        counters: [
          ...monthlyMetrics.map((metric) => line(metric, sum(metric), 'month')),
          ...(standing
            ? standingMetrics.map((metric) =>
                line(
                  metric,
                  standing.find((row) => row.metric === metric)?.amount ?? 0,
                  'standing',
                ),
              )
            : []),
        ],
        history,
        providers,
      }
    },
  })

function noSuchMonth(current: string): Refusal {
  const text = `month must be a month such as ${current.slice(0, 7)}, which is the last one.`
  return refuse('invalid_request', text, { field: 'month', data: { reason: 'no_month' } })
}

interface UsageDay {
  day: string
  metric: string
  amount: number
}

/** From the first day until the month after it begins. */
function usageInMonth(db: Db, businessId: Id<'business'>, firstDay: string): Promise<UsageDay[]> {
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
async function firstMonthOf(db: Db, businessId: Id<'business'>): Promise<string> {
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
function standingUsage(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ metric: string; amount: number }[]> {
  return db.all(sql`
    select metric, amount from usage_standing where business_id = ${businessId}
    union all
    select 'members', count(*) from memberships where business_id = ${businessId}
  `)
}
