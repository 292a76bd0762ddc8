import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { bySequence, fieldsOf, readSequence, sequenceFields, sequenceIdInput } from './sequence.ts'

export const sequenceGet = operation({
  name: 'sequence.get',
  title: 'Get an automation',
  area: 'campaigns',
  summary: 'A sequence with its rule and steps, and how many people are before each step.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sequences/:sequence_id',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput },
  output: Type.Object({
    ...sequenceFields,
    people: Type.Object({
      inside: Type.Integer(),
      finished: Type.Integer(),
      holdout: Type.Integer(),
      left: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
      at_step: Type.Array(
        Type.Object({ version: Type.Integer(), step: Type.Integer(), count: Type.Integer() }),
      ),
    }),
  }),

  async run({ db, business }, { sequence_id }) {
    const sequence = await readSequence(db, business.id, sequence_id)
    const rows = await countPeople(db, business.id, sequence.id)
    const sumOf = (state: string) =>
      rows.reduce((sum, row) => sum + (row.state === state ? row.count : 0), 0)
    const left = Map.groupBy(
      rows.filter(({ state }) => state === 'left'),
      ({ reason }) => reason ?? 'other',
    )
    return {
      ...fieldsOf(sequence),
      people: {
        inside: sumOf('active'),
        finished: sumOf('finished'),
        holdout: sumOf('holdout'),
        left: [...left].map(([reason, group]) => ({
          reason,
          count: group.reduce((sum, { count }) => sum + count, 0),
        })),
        at_step: rows
          .filter(({ state }) => state === 'active')
          .map(({ version, step, count }) => ({ version, step, count })),
      },
    }
  },
})

interface PeopleCount {
  state: string
  reason: string | null
  version: number
  step: number
  count: number
}

/** People by state; of those inside by their next step, of the others by the reason. */
function countPeople(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'sequence'>,
): Promise<PeopleCount[]> {
  return db.all(sql`
    select state, reason, case when state = 'active' then version else 0 end as version,
      case when state = 'active' then step::int else 0 end as step, count(*)::int as count
    from sequence_entries where business_id = ${businessId} and sequence_id = ${id}
    group by 1, 2, 3, 4 order by 1, 3, 4, 2
  `)
}
