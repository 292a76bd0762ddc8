/** The UTM parameters of a campaign's links. */

import type { Id } from '../core/ids.ts'
import { type Utm, urlTagger, utmInput } from '../core/utm.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { findLinks } from '../lib/email/find-links.ts'

export const campaignUtmInput = utmInput('{}: none; null: default.')

/** What its links get; undefined for nothing. `utm_campaign` is the campaign's name if not set. */
export function utmOf(
  { utm: own, name }: { utm: Utm | null; name: string },
  ofBusiness: Utm | null,
): Utm | undefined {
  const utm = own ?? ofBusiness
  if (!utm || Object.keys(utm).length === 0) return undefined
  return { ...utm, campaign: utm.campaign ?? slugOf(name) }
}

function slugOf(name: string): string {
  return name.toLowerCase().split(' ').filter(Boolean).join('-').slice(0, 100)
}

/** The first link of these pages that gets them, before and after. */
export function taggedExample(
  pages: readonly (string | undefined)[],
  utm: Utm,
  ownHosts: readonly string[],
): { url: string; tagged_url: string } | undefined {
  const tag = urlTagger(utm, ownHosts)
  for (const page of pages) {
    for (const { url } of findLinks(page ?? '')) {
      const tagged = tag(url)
      if (tagged !== url) return { url, tagged_url: tagged }
    }
  }
  return undefined
}

const mostKept = 1_000

/**
 * Reads what the links of a campaign's mail get, once for its many messages: a message exists only
 * once the audience is frozen, and then the parameters stay the same.
 */
export function createUtmReader(db: Db) {
  const cache = new Map<string, Promise<Utm | undefined>>()
  return ({
    businessId,
    campaignId,
  }: {
    businessId: Id<'business'>
    campaignId: Id<'campaign'>
  }): Promise<Utm | undefined> => {
    const key = `${businessId} ${campaignId}`
    const cached = cache.get(key)
    if (cached) return cached
    const read = findUtm(db, businessId, campaignId).then((row) => row && utmOf(row, null))
    // A failed read is not cached, so that the next use retries it.
    read.catch(() => cache.delete(key))
    setNewest(cache, [key, read], mostKept)
    return read
  }
}

/** The UTM parameters of a campaign whose audience is frozen, and the name that completes them. */
function findUtm(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<{ utm: Utm | null; name: string } | undefined> {
  return db.maybe(sql`
    select utm, name from campaigns where business_id = ${businessId} and id = ${id}
  `)
}
