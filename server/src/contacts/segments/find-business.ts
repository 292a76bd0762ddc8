import { parseId } from '../../core/ids.ts'
import type { Locate } from '../../core/operation.ts'
import { findOwner } from './queries.ts'

/** Finds the business that has the segment `seg_…`. */
export const bySegment: Locate = async (db, businesses, text) => {
  const id = parseId('segment', text)
  return id && (await findOwner(db, businesses, id))?.businessId
}
