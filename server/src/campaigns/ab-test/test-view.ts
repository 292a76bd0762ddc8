/** An A/B test as callers see it. */
import { Type } from '../../lib/schema/schema.ts'
import type { VariantTest } from './test-queries.ts'

export const testView = Type.Object({
  sample_percent: Type.Integer({ description: 'Of the audience that gets a variant at once.' }),
  winner_by: Type.Enum(['clicks', 'opens']),
  after_minutes: Type.Integer({ description: 'From the freeze until the winner is chosen.' }),
  winner: Type.Union([Type.Integer(), Type.Null()], { description: 'Its variant.' }),
  by_hand: Type.Boolean({ description: 'A person chose it.' }),
  decided_at: Type.Union([Type.String(), Type.Null()]),
})

export function viewOfTest(test: VariantTest) {
  return {
    sample_percent: test.sample,
    winner_by: test.decidedBy,
    after_minutes: test.afterMinutes,
    winner: test.winner,
    by_hand: test.byHand,
    decided_at: test.decidedAt?.toISOString() ?? null,
  }
}
