/** Counts which links of a campaign were followed, by how many people and machines. */

import { sha256 } from '../../lib/crypto/vault.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Settled } from '../../messages/campaign-outcomes.ts'
import { insertLinkPeople, insertLinks, type LinkClick } from './link-queries.ts'

/** The most links of a campaign that are counted separately. */
export const linksKept = 200

/** What a link of a campaign is found by. */
export const linkHash = (url: string): Buffer => sha256(url).subarray(0, 16)

/** Counts the clicks among these outcomes. */
export async function countLinks(tx: Tx, rows: readonly Settled[]): Promise<void> {
  const clicks = rows.flatMap((row): LinkClick[] => {
    const { businessId, campaignId, contactId, url, machine = false } = row
    if (url === undefined || contactId === null) return []
    return [{ businessId, campaignId, contactId, hash: linkHash(url), url, machine }]
  })
  if (clicks.length === 0) return
  await insertLinks(tx, clicks, linksKept)
  await insertLinkPeople(tx, clicks)
}
