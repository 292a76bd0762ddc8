import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, later } from '../../lib/time/clock.ts'
import { bySegment } from './find-business.ts'
import { deleteSegment, forgetDeleted } from './queries.ts'
import { noSuchSegment, segmentIdInput } from './segment.ts'

/** For so long deleting it again says that it is deleted; then it never was. */
const keptFor = days(1)

export const segmentDelete = operation({
  name: 'segment.delete',
  title: 'Delete a segment',
  summary: 'Delete a segment for good. Its contacts stay.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/segments/:segment_id',
  locate: { segment_id: bySegment },
  input: { segment_id: segmentIdInput },
  output: Type.Object({ segment_id: Type.String(), deleted: Type.Boolean() }),

  async run({ business, now, write }, { segment_id }) {
    const id = parseId('segment', segment_id)
    if (!id) return noSuchSegment(segment_id)
    return write(async (tx) => {
      await forgetDeleted(tx, business.id, later(now, -keptFor))
      const found = await deleteSegment(tx, business.id, id, now)
      return found === 0 ? noSuchSegment(segment_id) : { segment_id, deleted: true }
    })
  },
})
