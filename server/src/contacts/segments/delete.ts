import { type Refusal, refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, later } from '../../lib/time/clock.ts'
import { bySegment } from './find-business.ts'
import { deleteSegment, forgetDeleted } from './queries.ts'
import { noSuchSegment, segmentIdInput } from './segment.ts'
import { type SegmentUser, segmentsNaming } from './users.ts'

/** For how long deleting it again answers that it is deleted, rather than that it never existed. */
const keptFor = days(1)
/** How many of the segment's users a refusal names. */
const mostNames = 5

/** Finds campaigns that use a segment in their audience and have not frozen it yet. */
export type FindCampaignsUsing = (
  db: Db,
  businessId: Id<'business'>,
  segmentId: string,
) => Promise<SegmentUser[]>

export function segmentDelete({ campaignsNaming }: { campaignsNaming: FindCampaignsUsing }) {
  return operation({
    name: 'segment.delete',
    title: 'Delete a segment',
    area: 'contacts',
    summary: 'Permanently delete a segment that nothing uses. Its contacts stay.',
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
      if (!id) throw noSuchSegment(segment_id)
      return write(async (tx) => {
        const users = [
          ...(await segmentsNaming(tx, business.id, id)),
          ...(await campaignsNaming(tx, business.id, segment_id)),
        ]
        if (users.length > 0) throw segmentInUse(segment_id, users)
        await forgetDeleted(tx, business.id, later(now, -keptFor))
        const segment = await deleteSegment(tx, business.id, id, now)
        if (segment === 0) throw noSuchSegment(segment_id)
        return { segment_id, deleted: true }
      })
    },
  })
}

function segmentInUse(segmentId: string, users: readonly SegmentUser[]): Refusal {
  const names = users.slice(0, mostNames).map(({ label, id }) => `${label} (${id})`)
  const more = users.length > mostNames ? ` and ${users.length - mostNames} more` : ''
  const text = `${segmentId} is used by ${names.join(', ')}${more}: change ${users.length > 1 ? 'those' : 'that'} first.`
  return refuse('conflict', text, {
    field: 'segment_id',
    data: { reason: 'in_use', used_by: users.slice(0, mostNames).map(({ id }) => id) },
  })
}
