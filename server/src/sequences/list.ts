import { operation } from '../core/operation.ts'
import { highestId, nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { sqlWithin } from '../lib/db/sql-within.ts'
import { Type } from '../lib/schema/schema.ts'
import { fieldsOf, type Sequence, sequenceFields, wholeSequence } from './sequence.ts'

export const sequenceList = operation({
  name: 'sequence.list',
  title: 'List automations',
  area: 'campaigns',
  summary: 'The sequences of a business, newest first. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sequences',
  input: { ...pageInput },
  output: Type.Object({
    sequences: Type.Array(Type.Object(sequenceFields)),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, paging) {
    const page = pageOf('sequence', paging)
    const rows = await db.all<Sequence>(sqlWithin`
      select ${wholeSequence} from sequences
      where business_id = ${business.id} and id < ${page.before ?? highestId} and deleted_at is null
      order by id desc limit ${page.limit}
    `)
    const { shown, next } = pageFrom('sequence', rows, page, fieldsOf)
    return { sequences: shown.map(fieldsOf), ...next }
  },
})
