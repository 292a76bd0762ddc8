import { parseId } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { findSegment, listSegments } from './queries.ts'
import { noSuchSegment, type Segment } from './segment.ts'

/** Finds the segment `seg_…` in the call's business. */
export async function segmentOf(
  { db, business }: Pick<BusinessContext, 'db' | 'business'>,
  segmentId: string,
): Promise<Segment> {
  const id = parseId('segment', segmentId)
  const segment = id && (await findSegment(db, business.id, id))
  if (!segment) throw noSuchSegment(segmentId)
  return segment
}

export function newestSegments(
  { db, business }: Pick<BusinessContext, 'db' | 'business'>,
  limit: number,
): Promise<Segment[]> {
  return listSegments(db, business.id, { before: null, limit })
}
