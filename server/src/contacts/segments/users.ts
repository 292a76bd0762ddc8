/** What uses a segment: other segments, and campaigns. */
import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { filterLimits } from '../filters/filter.ts'
import { segmentsNamedBy } from './expand-segments.ts'
import { findReferring } from './queries.ts'

export interface SegmentUser {
  /** Its kind and name, such as `the segment “VIPs”`. */
  label: string
  /** Its public id. */
  id: string
}

export async function segmentsNaming(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'segment'>,
): Promise<SegmentUser[]> {
  const segmentId = formatId('segment', id)
  const candidates = await findReferring(db, businessId, segmentId)
  // The text may also occur elsewhere in a filter, such as in a value.
  const users = candidates.filter(({ filter }) => segmentsNamedBy(filter).includes(segmentId))
  return users.map((user) => ({
    label: `the segment “${user.name}”`,
    id: formatId('segment', user.id),
  }))
}

/** How many levels of segments refer to this one; counting stops one above the limit. */
export async function heightOf(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'segment'>,
): Promise<number> {
  let level = [formatId('segment', id)]
  for (let height = 0; height <= filterLimits.segments; height += 1) {
    const above = await Promise.all(
      level.map((parentId) => findReferring(db, businessId, parentId)),
    )
    const names = new Set(level)
    const users = above
      .flat()
      .filter(({ filter }) => segmentsNamedBy(filter).some((text) => names.has(text)))
    if (users.length === 0) return height
    level = [...new Set(users.map((user) => formatId('segment', user.id)))]
  }
  return filterLimits.segments + 1
}
