import { operation } from '../../core/operation.ts'
import {
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { listSegments } from './queries.ts'
import { fieldsOf, type Segment, segmentFields } from './segment.ts'

export const segmentList = operation({
  name: 'segment.list',
  title: 'List segments',
  area: 'contacts',
  everyday: true,
  summary: 'The segments of a business, newest first; view: full has their filters.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/segments',
  input: { view: viewInput, ...pageInput },
  seldom: ['view'],
  output: Type.Object({
    segments: Type.Array(Type.Object(segmentFields)),
    next_cursor: nextCursor,
  }),

  async run(context, { view, ...paging }) {
    const { db, business } = context
    const page = pageOf('segment', paging)
    const rows = await listSegments(db, business.id, page)
    const brief = isBrief(context, view)
    const shownOf = (row: Segment) =>
      inView(fieldsOf(row), { brief, fields: ['segment_id', 'name', 'updated_at'] })
    const { shown: pageRows, next } = pageFrom('segment', rows, page, shownOf)
    return { segments: pageRows.map(shownOf), ...next }
  },
})
