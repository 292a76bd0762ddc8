/** An A/B test as callers see it. */
import { Type } from '../../lib/schema/schema.ts'
import { judge, type VariantResult } from './evidence.ts'
import type { VariantTest } from './test-queries.ts'

const share = (description: string) => Type.Number({ description })

export const testView = Type.Object({
  sample_percent: Type.Integer({ description: 'Of the audience that gets a variant at once.' }),
  winner_by: Type.Enum(['clicks', 'opens']),
  after_minutes: Type.Integer({ description: 'From the freeze until it is decided.' }),
  winner: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The variant that is better beyond chance, or that a person chose.',
  }),
  sent_to_others: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The variant that the rest of the audience gets, once decided.',
  }),
  by_hand: Type.Boolean({ description: 'A person chose it.' }),
  beyond_chance: Type.Boolean({ description: 'The lead is larger than chance explains (95 %).' }),
  decided_at: Type.Union([Type.String(), Type.Null()]),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        variant: Type.Integer({ description: 'Its place in variants, from 0.' }),
        sent: Type.Integer({ description: 'Messages of this variant that went out.' }),
        acted: Type.Integer({ description: 'People who clicked, or opened.' }),
        low: share('Their share is at least this (95 %).'),
        high: share('And at most this.'),
      }),
      { description: 'As decided; before that, so far.' },
    ),
  ),
  leader: Type.Optional(
    Type.Integer({ description: 'The variant with the highest share of people.' }),
  ),
  lead: Type.Optional(
    Type.Object(
      {
        low: share('At least so much larger (95 %).'),
        high: share('At most so much larger (95 %).'),
      },
      { description: 'By how much its share is larger than the nearest one; 0 inside: chance.' },
    ),
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
