import { lastSaveOf, lastSaveView } from '../../accounts/saves/last-save.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { countMatches } from './count.ts'
import { segmentOf } from './find.ts'
import { bySegment } from './find-business.ts'
import { fieldsOf, segmentFields, segmentIdInput } from './segment.ts'
import { bySegmentId, compileCondition } from './where.ts'

export const segmentGet = operation({
  name: 'segment.get',
  title: 'Get a segment',
  area: 'contacts',
  summary: 'A segment with its filter, and how many match now.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/segments/:segment_id',
  locate: { segment_id: bySegment },
  input: { segment_id: segmentIdInput },
  output: Type.Object({
    ...segmentFields,
    count: Type.Integer(),
    at_least: Type.Boolean(),
    saved: Type.Optional(lastSaveView),
  }),

  async run(context, { segment_id }) {
    const segment = await segmentOf(context, segment_id)
    const where = await compileCondition(context, segment.filter, bySegmentId)
    const { fitting, isPartial } = await countMatches(context, where)
    const { db, business, principal } = context
    const saved = await lastSaveOf(db, principal, { businessId: business.id, objectId: segment.id })
    const counted = { count: fitting, at_least: isPartial }
    return { ...fieldsOf(segment), ...counted, ...(saved && { saved }) }
  },
})
