/** Stores the links of messages, and caches which are stored: a thousand messages with one link write one row. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { days, hours, later } from '../lib/time/clock.ts'
import type { Link } from './links.ts'

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

/** Inserts new links, and refreshes the last use of some existing links. */
function keepLinks(
  db: Db,
  businessId: Id<'business'>,
  links: readonly Link[],
  { now, staleBefore }: { now: Date; staleBefore: Date },
): Promise<number> {
  const hashes = links.map(({ hash }) => hash)
  return db.run(sql`
    with added as (
      insert into tracked_links (business_id, hash, url, used_at)
      select ${businessId}, hash, url, ${now}
      from unnest(${hashes}::bytea[], ${links.map(({ url }) => url)}::text[]) as new (hash, url)
      order by hash
      on conflict (business_id, hash) do nothing
    )
    update tracked_links set used_at = ${now}
    where business_id = ${businessId} and hash = any(${hashes}::bytea[])
      and used_at < ${staleBefore}
  `)
}

export function sweepLinks(db: Db, now: Date): Promise<number> {
  return deleteLinks(db, later(now, -keptFor))
}

function deleteLinks(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from tracked_links where used_at < ${before}`)
}

export async function findLink(
  db: Db,
  businessId: Id<'business'>,
  hash: Buffer,
): Promise<string | undefined> {
  const row = await db.maybe<{ url: string }>(sql`
    select url from tracked_links where business_id = ${businessId} and hash = ${hash}
  `)
  return row?.url
}
