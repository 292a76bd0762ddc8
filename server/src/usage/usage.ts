import { tierLimits } from '../accounts/businesses/tiers.ts'
import { formatId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Metric, monthlyMetrics, monthOf, standingMetrics, thresholds } from './metrics.ts'
import { standingUsage, usageSince } from './queries.ts'

const counter = Type.Object({
  metric: Type.String(),
  used: Type.Integer(),
  limit: Type.Union([Type.Integer(), Type.Null()]),
  per: Type.Enum(['month', 'standing']),
  thresholds_crossed: Type.Array(Type.Integer()),
})

/**
 * Counts appear within a second of their call. Limits are enforced exactly elsewhere
 * (`reserve.ts`).
 */
export const usageReport = operation({
  name: 'meta.usage',
  title: 'Usage this month',
  summary:
    "This month's counters of a business against its tier's limits, and the days they fell on. Call it before a large import or campaign. Free, changes nothing.",
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/usage',
  input: {},
  output: Type.Object({
    business_id: Type.String(),
    tier: Type.String(),
    month: Type.String(),
    counters: Type.Array(counter),
    history: Type.Array(
      Type.Object({
        day: Type.String(),
        metric: Type.String(),
        amount: Type.Integer(),
      }),
    ),
  }),

  async run({ db, now, business }) {
    const month = monthOf(now)
    const [history, standing] = await Promise.all([
      usageSince(db, business.id, month),
      standingUsage(db, business.id),
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
      counters: [
        ...monthlyMetrics.map((metric) => line(metric, sum(metric), 'month')),
        ...standingMetrics.map((metric) =>
          line(metric, standing.find((row) => row.metric === metric)?.amount ?? 0, 'standing'),
        ),
      ],
      history,
    }
  },
})
