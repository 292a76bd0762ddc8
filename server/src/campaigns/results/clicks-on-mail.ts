/** Which counted clicks belong to which links of a mail. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { findLinks } from '../../lib/email/find-links.ts'
import { type CountedLink, linksKept, listLinks } from './links.ts'

type ClickCount = Pick<CountedLink, 'people' | 'machines'>

export interface ClickedLink extends ClickCount {
  /** As in the mail, in a browser's spelling. */
  url: string
  /** The address differs by person, and the count is of all of them. */
  personal: boolean
}

/** What an address that differs by person begins and ends with. */
interface Shape {
  before: string
  after: string
}

export interface ClickedMail {
  html: string
  /** The same mail with other values in place: links that differ are each person's own. */
  other: string | undefined
  /** In place of a person's unsubscribe link, of which no clicks are counted. */
  unsubscribe: string
}

export interface ClickedCampaign {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  /** Only the clicks of those who got this variant; absent if all got the same. */
  variant?: number
}

/** Reads the clicks on each link of a campaign's mail. */
export async function readClicks(
  db: Db,
  { businessId, campaignId, variant }: ClickedCampaign,
  mail: ClickedMail,
): Promise<ClickedLink[]> {
  const of = { campaignId, limit: linksKept }
  const counted =
    variant === undefined
      ? await listLinks(db, businessId, of)
      : await listLinksOfVariant(db, businessId, { ...of, variant })
  return clicksOnMail(mail, counted)
}

/** Each address of the mail once, with its clicks. */
export function clicksOnMail(
  { html, other, unsubscribe }: ClickedMail,
  counted: readonly CountedLink[],
): ClickedLink[] {
  const links = addressesOf(html, unsubscribe)
  const others = other === undefined ? links : addressesOf(other, unsubscribe)
  // With a different number of links it cannot be told which of them belong together.
  const pairs = links.map((url, index) => ({
    url,
    otherUrl: others.length === links.length ? others[index] : url,
  }))
  const shared = new Set(pairs.flatMap(({ url, otherUrl }) => (url === otherUrl ? [url] : [])))
  const byUrl = new Map(counted.map((link) => [link.url, link]))
  const own = counted.filter(({ url }) => !shared.has(url))
  const clicked = new Map<string, ClickedLink>()
  for (const { url, otherUrl } of pairs) {
    if (url === undefined || clicked.has(url)) continue
    const shape = otherUrl === undefined || url === otherUrl ? undefined : shapeOf(url, otherUrl)
    const { people, machines } = shape
      ? sumOf(own.filter((link) => hasShape(link.url, shape)))
      : (byUrl.get(url) ?? nobody)
    clicked.set(url, { url, people, machines, personal: shape !== undefined })
  }
  return [...clicked.values()]
}

/** In order; undefined for what is not of the web, of which no clicks are counted. */
function addressesOf(html: string, unsubscribe: string): (string | undefined)[] {
  return findLinks(html).map(({ url }) => {
    const parsed = url === unsubscribe ? null : URL.parse(url)
    return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : undefined
  })
}

/** Undefined where not even the host is the same. */
function shapeOf(first: string, two: string): Shape | undefined {
  const length = Math.min(first.length, two.length)
  let before = 0
  while (before < length && first[before] === two[before]) before++
  let after = 0
  while (after < length - before && first.at(-1 - after) === two.at(-1 - after)) after++
  const start = first.slice(0, before)
  const { origin } = new URL(first)
  if (!start.startsWith(`${origin}/`)) return undefined
  return { before: start, after: first.slice(first.length - after) }
}

const hasShape = (url: string, { before, after }: Shape) =>
  url.length >= before.length + after.length && url.startsWith(before) && url.endsWith(after)

const nobody: ClickCount = { people: 0, machines: 0 }

const sumOf = (links: readonly ClickCount[]) =>
  links.reduce(
    (sum, { people, machines }) => ({
      people: sum.people + people,
      machines: sum.machines + machines,
    }),
    nobody,
  )

/** Lists the links by the clicks of those who got one variant, the most followed first. */
export function listLinksOfVariant(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, variant, limit }: { campaignId: Id<'campaign'>; variant: number; limit: number },
): Promise<CountedLink[]> {
  return db.all(sql`
    select l.url, count(*) filter (where not p.machine)::int as people,
      count(*) filter (where p.machine)::int as machines
    from campaign_link_people p
    join campaign_recipients r on r.business_id = p.business_id
      and r.campaign_id = p.campaign_id and r.contact_id = p.contact_id
    join campaign_links l on l.business_id = p.business_id
      and l.campaign_id = p.campaign_id and l.url_hash = p.url_hash
    where p.business_id = ${businessId} and p.campaign_id = ${campaignId}
      and r.variant = ${variant}
    group by l.url order by people desc, machines desc, l.url limit ${limit}
  `)
}
