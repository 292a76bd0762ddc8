import { parseId } from '../platform/ids.ts'
import type { Locate } from '../platform/operation.ts'
import { findOwner } from './queries.ts'

/** The business that has the campaign `cmp_…`. */
export const byCampaign: Locate = async (db, businesses, text) => {
  const id = parseId('campaign', text)
  return id && (await findOwner(db, businesses, id))?.businessId
}
