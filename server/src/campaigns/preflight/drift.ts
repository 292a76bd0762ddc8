/** Detects what changed since a plan was made. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { PlanParts } from './plan-hash.ts'

/** A change of the number of recipients up to this percentage is tolerated: people come and go. */
const toleratedPercent = 1

export interface Difference {
  what: 'recipients' | 'content' | 'sender' | 'audience'
  before?: number
  now?: number
}

export function driftOf(before: PlanParts, now: PlanParts): Difference[] {
  const changed = (['content', 'sender', 'audience'] as const).filter(
    (field) => before[field] !== now[field],
  )
  const moved = Math.abs(now.recipients - before.recipients) * 100
  const isMore = moved > before.recipients * toleratedPercent
  return [
    ...(isMore
      ? [{ what: 'recipients' as const, before: before.recipients, now: now.recipients }]
      : []),
    ...changed.map((field) => ({ what: field })),
  ]
}

export function drifted(campaignId: Id<'campaign'>, differences: Difference[]): Refusal {
  const sentences = differences.map(({ what: changedPart, before, now }) => {
    return before === undefined
      ? `the ${changedPart} was changed`
      : `recipients were ${before} and are ${now} now`
  })
  const text = `The plan has drifted: ${sentences.join('; ')}. Nothing was sent. Look at it again, and deploy by the new plan_hash.`
  return refuse('conflict', text, {
    field: 'plan_hash',
    data: { reason: 'changed_meanwhile', drift: differences },
    fix: { tool: 'campaign.preview', arguments: { campaign_id: formatId('campaign', campaignId) } },
  })
}
