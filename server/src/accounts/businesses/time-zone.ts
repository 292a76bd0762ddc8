import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { findTimeZone } from './queries.ts'

/** The IANA name of the business's time zone, which defines its calendar days. */
export async function timeZoneOf(db: Db, id: Id<'business'>): Promise<string> {
  const found = await findTimeZone(db, id)
  return found?.timeZone ?? 'UTC'
}
