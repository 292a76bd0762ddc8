import type { Filter } from '../../contacts/filters/filter.ts'
import { expandSegments } from '../../contacts/segments/expand-segments.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Audience } from '../campaign.ts'

/**
 * The audience with its segments replaced by their current filters; a refusal if a segment no
 * longer exists.
 */
export async function expandAudience(
  db: Db,
  businessId: Id<'business'>,
  { segment_id, filter, ...rest }: Audience,
): Promise<Audience> {
  const [bySegment, byFilter] = await Promise.all([
    segment_id === undefined
      ? undefined
      : expandSegments(db, businessId, { segment: segment_id }, bySegmentId),
    filter && expandSegments(db, businessId, filter, { at: 'audience.filter' }),
  ])
  const whole = bySegment && byFilter ? { and: [bySegment, byFilter] } : (bySegment ?? byFilter)
  return { ...rest, ...(whole && { filter: whole }) }
}

/**
 * The audience with the filter that its plan expanded, since segments may have changed meanwhile.
 * A segment without a planned filter must not mean everybody, so it means nobody.
 */
export function asPlanned(
  { tags, not_sent_within_days, segment_id }: Audience,
  filter: Filter | null,
): Audience {
  const planned = filter ?? (segment_id === undefined ? undefined : nobody)
  return {
    ...(tags && { tags }),
    ...(not_sent_within_days !== undefined && { not_sent_within_days }),
    ...(planned && { filter: planned }),
  }
}

const bySegmentId = { at: 'audience.segment_id', isOwn: false }

/** A filter that matches nobody: no tag is empty. */
export const nobody: Filter = { tag: '' }
