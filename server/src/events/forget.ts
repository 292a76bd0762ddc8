import type { Id } from '../core/ids.ts'
import type { Tx } from '../lib/db/types.ts'
import type { Forgotten } from './forget-queries.ts'
import { blankEvents } from './forget-queries.ts'

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
