/** An A/B test as callers see it. */
import { Type } from '../../lib/schema/schema.ts'
import { judge, type VariantResult } from './evidence.ts'
import type { VariantTest } from './test-queries.ts'

export const testView = Type.Object({
  sample_percent: Type.Integer(),
  winner_by: Type.Enum(['clicks', 'opens']),
  after_minutes: Type.Integer(),
  winner: Type.Union([Type.Integer(), Type.Null()]),
  sent_to_others: Type.Union([Type.Integer(), Type.Null()]),
  by_hand: Type.Boolean(),
  beyond_chance: Type.Boolean(),
  decided_at: Type.Union([Type.String(), Type.Null()]),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        variant: Type.Integer(),
        sent: Type.Integer(),
        acted: Type.Integer(),
        low: Type.Number(),
        high: Type.Number(),
      }),
    ),
  ),
  leader: Type.Optional(Type.Integer()),
  lead: Type.Optional(
    Type.Object({
      low: Type.Number(),
      high: Type.Number(),
    }),
  ),
})

/** `current` are the results so far; a decided test shows those that it was decided on. */
export function viewOfTest(test: VariantTest, current?: readonly VariantResult[]) {
  const results = test.evidence ?? (test.winner === null ? current : undefined)
  const verdict = results && results.length > 1 ? judge(results) : undefined
  const isNamed = test.byHand || test.isBeyondChance === true
  return {
    sample_percent: test.sample,
    winner_by: test.decidedBy,
    after_minutes: test.afterMinutes,
    winner: isNamed ? test.winner : null,
    sent_to_others: test.winner,
    by_hand: test.byHand,
    beyond_chance: test.isBeyondChance ?? verdict?.isBeyondChance ?? false,
    decided_at: test.decidedAt?.toISOString() ?? null,
    ...(verdict && { results: verdict.results, leader: verdict.leader, lead: verdict.lead }),
  }
}
