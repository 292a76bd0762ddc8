import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import {
  highestId,
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { fieldsOf, type Sequence, sequenceFields, wholeSequence } from './sequence.ts'

export const sequenceList = operation({
  name: 'sequence.list',
  title: 'List automations',
  area: 'campaigns',
  summary:
    'The sequences of a business, newest first, each with how many people are in it. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sequences',
  input: {
    waiting: Type.Optional(
      Type.Boolean({ description: 'Only those that wait for a person’s decision.' }),
    ),
    view: viewInput,
    ...pageInput,
  },
  seldom: ['view'],
  output: Type.Object({
    sequences: Type.Array(
      Type.Object({
        ...sequenceFields,
        people: Type.Object({
          entered: Type.Integer(),
          inside: Type.Integer(),
          finished: Type.Integer(),
        }),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run(context, { waiting = false, view, ...paging }) {
    const { db, business } = context
    const page = pageOf('sequence', paging)
    const rows = await db.all<Sequence>(sqlWithin`
      select ${wholeSequence} from sequences
      where business_id = ${business.id} and id < ${page.before ?? highestId} and deleted_at is null
        and (not ${waiting}::boolean or wanted is not null
          or (status = 'paused' and pause_reason in ('approval', 'sender')))
      order by id desc limit ${page.limit}
    `)
    const brief = isBrief(context, view)
    const shownOf = (row: Sequence) => inView(fieldsOf(row), { brief, fields: briefFields })
    const { shown: listedRows, next } = pageFrom('sequence', rows, page, shownOf)
    const counts = await countPeople(
      db,
      business.id,
      listedRows.map(({ id }) => id),
    )
    const nobody = { entered: 0, inside: 0, finished: 0 }
    const sequences = listedRows.map((sequence) => {
      return { ...shownOf(sequence), people: counts.get(sequence.id) ?? nobody }
    })
    return { sequences, ...next }
  },
})

const briefFields = [
  'sequence_id',
  'name',
  'status',
  'kind',
  'start_waits',
  'pause_reason',
  'ends_at',
] as const

interface People {
  entered: number
  inside: number
  finished: number
}

/** Whoever was moved to another version entered once. */
async function countPeople(
  db: Db,
  businessId: Id<'business'>,
  ids: readonly Id<'sequence'>[],
): Promise<ReadonlyMap<Id<'sequence'>, People>> {
  const rows = await db.all<People & { id: Id<'sequence'> }>(sql`
    select sequence_id as id,
      (count(*) filter (where reason is distinct from 'moved'))::int as entered,
      (count(*) filter (where state = 'active'))::int as inside,
      (count(*) filter (where state = 'finished'))::int as finished
    from sequence_entries
    where business_id = ${businessId} and sequence_id = any(${ids}::uuid[])
    group by sequence_id
  `)
  return new Map(
    rows.map(({ id, entered, inside, finished }) => [id, { entered, inside, finished }]),
  )
}
