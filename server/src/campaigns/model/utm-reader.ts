/** Reads what the links of a campaign's mail get, once for its many messages. */
import type { Id } from '../../core/ids.ts'
import type { Utm } from '../../core/utm.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import type { Db } from '../../lib/db/types.ts'
import { findUtm } from './queries.ts'
import { utmOf } from './utm.ts'

const mostKept = 1_000

/** A message exists only once the audience is frozen, and then the parameters stay the same. */
export function createUtmReader(db: Db) {
  const kept = new Map<string, Promise<Utm | undefined>>()
  return ({
    businessId,
    campaignId,
  }: {
    businessId: Id<'business'>
    campaignId: Id<'campaign'>
  }): Promise<Utm | undefined> => {
    const key = `${businessId} ${campaignId}`
    const known = kept.get(key)
    if (known) return known
    const read = findUtm(db, businessId, campaignId).then((found) => found && utmOf(found, null))
    // A failed read is not cached, so that the next use retries it.
    read.catch(() => kept.delete(key))
    setNewest(kept, [key, read], mostKept)
    return read
  }
}
