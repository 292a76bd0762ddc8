/** The results of a campaign over time, in steps that fit a page. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { seriesMetrics } from './outcomes.ts'

export const seriesView = Type.Object({
  step_seconds: Type.Integer(),
  points: Type.Array(
    // The numbers are listed by name, so that a client in a typed language knows which there are.
    Type.Unsafe<Record<string, string | number>>({
      type: 'object',
      properties: {
        at: { type: 'string', description: 'Where the step begins, ISO 8601, UTC.' },
        ...Object.fromEntries(seriesMetrics.map((metric) => [metric, { type: 'integer' }])),
      },
      required: ['at'],
      additionalProperties: false,
    }),
  ),
})

/** Seconds: ten minutes, an hour, six hours, a day, a week. */
const steps = [600, 3_600, 21_600, 86_400, 604_800]
/** The most points that a chart shows well. */
const mostPoints = 150

export async function seriesOf(db: Db, businessId: Id<'business'>, campaignId: Id<'campaign'>) {
  const { first, last } = await seriesSpan(db, businessId, campaignId)
  const span = first && last ? (last.getTime() - first.getTime()) / 1000 : 0
  const step = steps.find((number) => span / number < mostPoints) ?? 604_800
  const rows = first ? await listSeries(db, businessId, { campaignId, step }) : []
  const points = new Map<string, Record<string, string | number>>()
  for (const { at, metric, amount } of rows) {
    const name = at.toISOString()
    points.set(name, { ...(points.get(name) ?? { at: name }), [metric]: amount })
  }
  return { step_seconds: step, points: [...points.values()] }
}

interface SeriesSpan {
  first: Date | null
  last: Date | null
}

function seriesSpan(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<SeriesSpan> {
  return db.one(sql`
    select min(at) as first, max(at) as last from campaign_series
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

/** Points in steps of `step` seconds, oldest first. */
function listSeries(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, step }: { campaignId: Id<'campaign'>; step: number },
): Promise<{ at: Date; metric: string; amount: number }[]> {
  return db.all(sql`
    select to_timestamp(floor(extract(epoch from at) / ${step}::int) * ${step}::int) as at, metric,
      sum(amount)::bigint as amount
    from campaign_series
    where business_id = ${businessId} and campaign_id = ${campaignId}
    group by 1, 2 order by 1, 2
  `)
}
