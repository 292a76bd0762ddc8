/** Statements about tracked links. */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import type { Link } from './link.ts'

/** Inserts new links, and refreshes the last use of some existing links. */
export function keepLinks(
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

export function deleteLinks(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from tracked_links where used_at < ${before}`)
}
