import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { findTimeZone } from './queries.ts'

/** The IANA name of the zone by whose calendar and clocks the business goes. */
export async function timeZoneOf(db: Db, id: Id<'business'>): Promise<string> {
  const found = await findTimeZone(db, id)
  return found?.timeZone ?? 'UTC'
}
