import { tierLimits } from '../accounts/businesses/tiers.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { type Tier, tiers } from '../core/operation.ts'
import { isMonthly, type LimitedMetric } from './metrics.ts'

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
