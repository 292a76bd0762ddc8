import { parseId } from '../../core/ids.ts'
import type { Locate } from '../../core/operation.ts'
import { findAttempt } from '../log/log.ts'
import { findOwner } from '../model/queries.ts'

/** Finds the business that has the subscription `whk_…`. */
export const byWebhook: Locate = async (db, businesses, text) => {
  const id = parseId('webhook', text)
  return id && (await findOwner(db, businesses, id))?.businessId
}

/** Finds the business for which the attempt `dlv_…` was made. */
export const byDelivery: Locate = async (db, businesses, text) => {
  const id = parseId('delivery', text)
  return id && (await findAttempt(db, businesses, id))?.businessId
}
