import type { Tx } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import { blankEvents } from './forget-queries.ts'

export interface Forgotten {
  /** Texts of which one in a body tells that the event is about the person. */
  names: readonly string[]
  /** The span of the events' times: a day at a time, so that no transaction is long. */
  from: Date
  to: Date
}

/**
 * Blanks the bodies of events about an erased person: that something happened stays, with its
 * id, type and time. They are no longer what was signed, so they are not delivered again.
 */
export async function forgetInEvents(
  tx: Tx,
  businessId: Id<'business'>,
  forgotten: Forgotten,
  now: Date,
): Promise<number> {
  return blankEvents(tx, businessId, forgotten, now)
}
