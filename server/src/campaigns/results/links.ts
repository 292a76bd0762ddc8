/** Counts which links of a campaign were followed, by how many people and machines, and shows them. */

import type { Id } from '../../core/ids.ts'
import { isMasked } from '../../core/masking.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Settled } from '../../messages/campaign-outcomes.ts'
import { versionContent } from '../../templates/owned.ts'
import { findVariants } from '../campaign.ts'

/** The most links of a campaign that are counted separately. */
export const linksKept = 200

/** What a link of a campaign is found by. */
export const linkHash = (url: string): Buffer => sha256(url).subarray(0, 16)

interface LinkClick {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  contactId: Id<'contact'>
  hash: Buffer
  url: string
  machine: boolean
}

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

/** Adds new links up to the campaign's limit, since links may differ by person. */
function insertLinks(tx: Tx, clicks: readonly LinkClick[], limit: number): Promise<number> {
  return tx.run(sql`
    insert into campaign_links (business_id, campaign_id, url_hash, url)
    select distinct business_id, campaign_id, hash, url
    from unnest(
      ${clicks.map((click) => click.businessId)}::uuid[],
      ${clicks.map((click) => click.campaignId)}::uuid[],
      ${clicks.map((click) => click.hash)}::bytea[],
      ${clicks.map((click) => click.url)}::text[]
    ) as new (business_id, campaign_id, hash, url)
    where (
      select count(*) from campaign_links known
      where known.business_id = new.business_id and known.campaign_id = new.campaign_id
    ) < ${limit}
    order by business_id, campaign_id, hash
    on conflict do nothing
  `)
}

/** Adds the people who followed links that are stored. */
function insertLinkPeople(tx: Tx, clicks: readonly LinkClick[]): Promise<number> {
  return tx.run(sql`
    insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
    select new.business_id, new.campaign_id, new.hash, new.contact_id, new.machine
    from unnest(
      ${clicks.map((click) => click.businessId)}::uuid[],
      ${clicks.map((click) => click.campaignId)}::uuid[],
      ${clicks.map((click) => click.hash)}::bytea[],
      ${clicks.map((click) => click.contactId)}::uuid[],
      ${clicks.map((click) => click.machine)}::boolean[]
    ) as new (business_id, campaign_id, hash, contact_id, machine)
    join campaign_links l on l.business_id = new.business_id
      and l.campaign_id = new.campaign_id and l.url_hash = new.hash
    order by new.business_id, new.campaign_id, new.hash, new.contact_id, new.machine
    on conflict do nothing
  `)
}

export interface CountedLink {
  url: string
  people: number
  machines: number
}

/**
 * Links are stored as they were filled in for a person. A connection that sees people masked gets
 * them as far as the content has them in plain.
 */
export async function shownLinks(
  context: BusinessContext,
  { campaignId, limit }: { campaignId: Id<'campaign'>; limit: number },
): Promise<CountedLink[]> {
  const { db, business } = context
  const links = await listLinks(db, business.id, { campaignId, limit })
  if (!isMasked(context) || links.length === 0) return links
  const variants = await findVariants(db, business.id, campaignId)
  const versions = await Promise.all(
    variants.map(({ versionId }) => versionContent(db, business.id, versionId)),
  )
  const { linkAsWritten } = await import('../../core/masked-text.ts')
  const { textsIn } = await import('../../templates/personal-hosts.ts')
  const texts = versions.flatMap((version) => textsIn(version?.source))
  return links.map((link) => ({ ...link, url: linkAsWritten(link.url, texts) }))
}

/** Lists the links, the most followed first. */
export function listLinks(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, limit }: { campaignId: Id<'campaign'>; limit: number },
): Promise<CountedLink[]> {
  return db.all(sql`
    select l.url, followed.people, followed.machines
    from (
      select url_hash, sum(people)::int as people, sum(machines)::int as machines
      from (
        select url_hash, count(*) filter (where not machine) as people,
          count(*) filter (where machine) as machines
        from campaign_link_people
        where business_id = ${businessId} and campaign_id = ${campaignId}
        group by url_hash
        union all
        select url_hash, people, machines from campaign_links
        where business_id = ${businessId} and campaign_id = ${campaignId}
          and (people > 0 or machines > 0)
      ) counted
      group by url_hash
    ) followed
    cross join lateral (
      select url from campaign_links
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and url_hash = followed.url_hash
      limit 1
    ) l
    order by followed.people desc, followed.machines desc, l.url limit ${limit}
  `)
}
