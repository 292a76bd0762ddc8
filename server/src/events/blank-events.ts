import type { Id } from '../core/ids.ts'
import type { Tx } from '../lib/db/types.ts'
import type { ContactEventsToBlank, EventsToBlank } from './blank-queries.ts'
import { blankEvents } from './blank-queries.ts'

/**
 * Blanks the bodies of events about an erased person. The event itself stays, with its id, type
 * and time. Its bytes are no longer what was signed, so it is not delivered again.
 */
export async function blankEventsAbout(
  tx: Tx,
  businessId: Id<'business'>,
  forgotten: EventsToBlank | ContactEventsToBlank,
  now: Date,
): Promise<number> {
  return blankEvents(tx, businessId, forgotten, now)
}
