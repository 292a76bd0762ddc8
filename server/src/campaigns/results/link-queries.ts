/** Statements about the links of campaigns, and who followed them. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface LinkClick {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  contactId: Id<'contact'>
  hash: Buffer
  url: string
  machine: boolean
}

/** Adds new links up to the campaign's limit, since links may differ by person. */
export function insertLinks(tx: Tx, clicks: readonly LinkClick[], limit: number): Promise<number> {
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
export function insertLinkPeople(tx: Tx, clicks: readonly LinkClick[]): Promise<number> {
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
