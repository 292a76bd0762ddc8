import { parseId } from '../../core/ids.ts'
import type { Locate } from '../../core/operation.ts'
import { findOwner } from './queries.ts'

/** Finds the business that has the campaign `cmp_…`. */
export const byCampaign: Locate = async (db, businesses, text) => {
  const id = parseId('campaign', text)
  return id && (await findOwner(db, businesses, id))?.businessId
}
