import type { Db } from '../../lib/db/types.ts'
import { quietUntil } from '../../lib/phone/quiet-hours.ts'
import { type AudienceAsked, countByPrefix } from './audience-queries.ts'

/** How many of a range's recipients must not be texted now: they are deferred, not left out. */
export async function heldIn(db: Db, asked: AudienceAsked): Promise<number> {
  const groups = await countByPrefix(db, asked)
  return groups
    .filter(({ number, zone }) => quietUntil(number, zone ?? undefined, asked.now) !== undefined)
    .reduce((sum, { count }) => sum + count, 0)
}
