/** Caches which links are stored, so that a thousand messages with one link write one row. */

import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { days, hours, later } from '../lib/time/clock.ts'
import type { Link } from './link.ts'
import { deleteLinks, keepLinks } from './link-queries.ts'

/** Longer than history is usually kept: who clicks in a mail of 30 months ago arrives. */
const keptFor = days(3 * 366)
const refreshedAfter = days(30)
/** Much shorter, so that a link in use is never deleted. */
const rememberedFor = hours(6)
const mostRemembered = 20_000

export function createLinkKeeper() {
  /** For each business, the time until which each of its links is cached. */
  const cache = new Map<Id<'business'>, Map<string, number>>()
  let size = 0
  return async (
    db: Db,
    businessId: Id<'business'>,
    links: readonly Link[],
    now: Date,
  ): Promise<void> => {
    const its = cache.get(businessId)
    const at = now.getTime()
    const fresh = links.filter(({ name }) => (its?.get(name) ?? at) <= at)
    if (fresh.length === 0) return
    await keepLinks(db, businessId, fresh, { now, staleBefore: later(now, -refreshedAfter) })
    // A transaction's writes may still be rolled back.
    if ('inTransaction' in db) return
    if (size + fresh.length > mostRemembered) {
      cache.clear()
      size = 0
    }
    const cachedLinks = cache.get(businessId) ?? new Map<string, number>()
    cache.set(businessId, cachedLinks)
    size -= cachedLinks.size
    for (const { name } of fresh) cachedLinks.set(name, at + rememberedFor)
    size += cachedLinks.size
  }
}

export function sweepLinks(db: Db, now: Date): Promise<number> {
  return deleteLinks(db, later(now, -keptFor))
}
