import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { listSegments } from './queries.ts'
import { fieldsOf, segmentFields } from './segment.ts'

export const segmentList = operation({
  name: 'segment.list',
  title: 'List segments',
  area: 'contacts',
  everyday: true,
  summary: 'The segments of a business with their filters, newest first.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/segments',
  input: { ...pageInput },
  output: Type.Object({
    segments: Type.Array(Type.Object(segmentFields)),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, paging) {
    const page = pageOf('segment', paging)
    const rows = await listSegments(db, business.id, page)
    const { shown, next } = pageFrom('segment', rows, page, fieldsOf)
    return { segments: shown.map(fieldsOf), ...next }
  },
})
