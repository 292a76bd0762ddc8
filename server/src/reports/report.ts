/**
 * The report of a campaign: its figures beside those of the ten before it, what is known of its
 * opens, and its people by segment. Two to five campaigns are compared by the same figures.
 */

import {
  byCampaign,
  type Campaign,
  campaignChannels,
  campaignStates,
  findOfFeed,
} from '../campaigns/campaign.ts'
import { providerResults, providersView } from '../campaigns/providers/results.ts'
import { shownLinks } from '../campaigns/results/links.ts'
import { hasPicture, reportedCampaign } from '../campaigns/results/reported.ts'
import { seriesOf, seriesView } from '../campaigns/results/series.ts'
import { campaignIdInput, noSuchCampaign } from '../campaigns/view.ts'
import { campaignRevenue, revenueView } from '../contacts/own-events/revenue.ts'
import { newestSegments, segmentOf } from '../contacts/segments/find.ts'
import { segmentIdInput } from '../contacts/segments/segment.ts'
import { bySegmentId, compileCondition } from '../contacts/segments/where.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { isGivenUp, plannedAnew, sql, sqlWithin, within } from '../lib/db/db.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { differenceInterval } from '../lib/statistics/proportions.ts'
import { seconds } from '../lib/time/clock.ts'
import type { RouteFactsOf } from '../messages/relays/route-facts.ts'
import { csvInput, csvOf, csvView } from './csv.ts'

/** How many earlier campaigns are the usual. */
const usualCampaigns = 10
const linksShown = 50
const mostSegments = 10
/** So many campaigns fit beside each other. */
const mostCompared = 5

const countNames = [
  'sent',
  'delivered',
  'bounced',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
] as const
type CountName = (typeof countNames)[number]
type Counts = Record<CountName, number>
const rateNames = [
  'delivered',
  'bounced',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
] as const
type RateName = (typeof rateNames)[number]

const shareView = Type.Union([Type.Number(), Type.Null()])
const byName = <const Name extends string, Field>(names: readonly Name[], field: Field) =>
  Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>
const countsView = Type.Object(byName(countNames, Type.Integer()))
const ratesView = Type.Object(byName(rateNames, shareView))

const figuresView = {
  campaign_id: Type.String(),
  name: Type.String(),
  channel: Type.Enum(campaignChannels),
  status: Type.Enum(campaignStates),
  deployed_at: Type.Union([Type.String(), Type.Null()]),
  counts: countsView,
  rates: ratesView,
  delivery_reported: Type.Boolean(),
  complaints_reported: Type.Boolean(),
  revenue: revenueView,
}

/** Those of a feed are strangers' text, and stand under `untrusted` with the CSV. */
const linksView = Type.Array(
  Type.Object({ url: Type.String(), people: Type.Integer(), machines: Type.Integer() }),
)

interface ReportParts {
  campaigns: { routeOf: RouteFactsOf }
}

export const reportCampaign = ({ campaigns: { routeOf } }: ReportParts) =>
  operation({
    name: 'report.campaign',
    title: 'Report on a campaign',
    area: 'campaigns',
    summary: `What came of a campaign beside the average of the ${usualCampaigns} before it: rates, opens by people and how many cannot be judged, links, how people unsubscribed, revenue, over time, by mailbox provider and by segment. Free.`,
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/reports/campaigns/:campaign_id',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      segment_ids: Type.Optional(
        Type.Array(segmentIdInput, {
          maxItems: mostSegments,
          description: `By these segments, as they are now; the newest ${mostSegments} unless given.`,
        }),
      ),
      format: csvInput,
    },
    output: Type.Object({
      ...figuresView,
      usual: Type.Object({ campaigns: Type.Integer(), rates: ratesView }),
      opens: Type.Object({
        people: Type.Integer(),
        machines_only: Type.Integer(),
        not_tracked: Type.Integer(),
        judged: Type.Integer(),
      }),
      links: Type.Optional(linksView),
      unsubscribe_ways: Type.Array(Type.Object({ way: Type.Enum(ways), people: Type.Integer() })),
      providers: providersView,
      segments: Type.Array(
        Type.Object({
          segment_id: Type.String(),
          name: Type.String(),
          sent: Type.Integer(),
          opened: Type.Integer(),
          clicked: Type.Integer(),
          unsubscribed: Type.Integer(),
        }),
      ),
      segments_left_out: Type.Boolean(),
      series: seriesView,
      csv: csvView,
      untrusted: Type.Optional(untrusted({ links: linksView, csv: csvView })),
    }),

    async run(context, { campaign_id, segment_ids, format }) {
      const { db, business, now } = context
      const campaign = await campaignOf(context, campaign_id)
      const { id } = campaign
      const route = campaign.route ?? (await routeOf(business.id, campaign.channel))
      const figures = await figuresOf(context, campaign, route)
      const facts = { businessId: business.id, campaignId: id }
      const [usual, opens, links, unsubscribes, providers, segments, series, ofFeed] =
        await Promise.all([
          usualRates(db, business.id, campaign),
          opensOf(db, business.id, campaign),
          shownLinks(context, { campaignId: id, limit: linksShown }),
          waysOut(db, business.id, campaign),
          providerResults(db, { ...facts, complaintsReported: route.complaintsReported }, now),
          bySegment(context, id, segment_ids),
          seriesOf(db, business.id, id),
          findOfFeed(db, business.id, id),
        ])
      const { sent } = figures.counts
      const judged = Math.max(0, sent - opens.machines_only - opens.not_tracked)
      const withLinks = {
        links,
        ...(format && {
          csv: figuresCsv([figures], { usual, providers, segments: segments ?? [], links }),
        }),
      }
      return {
        ...figures,
        usual,
        opens: { people: figures.counts.opened, ...opens, judged },
        ...(ofFeed ? { untrusted: withLinks } : withLinks),
        unsubscribe_ways: unsubscribes,
        providers,
        segments: segments ?? [],
        segments_left_out: segments === undefined,
        series,
      }
    },
  })

export const reportCompare = ({ campaigns: { routeOf } }: ReportParts) =>
  operation({
    name: 'report.compare',
    title: 'Compare campaigns',
    area: 'campaigns',
    summary: `The figures of two to ${mostCompared} campaigns beside each other, and how each rate differs from the first campaign's, with the 95 % interval of the difference. Free.`,
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/reports/comparison',
    input: {
      campaign_ids: Type.Array(campaignIdInput, { minItems: 2, maxItems: mostCompared }),
      format: csvInput,
    },
    output: Type.Object({
      campaigns: Type.Array(
        Type.Object({
          ...figuresView,
          differences: Type.Array(
            Type.Object({
              rate: Type.Enum(rateNames),
              low: Type.Number(),
              high: Type.Number(),
              beyond_chance: Type.Boolean(),
            }),
          ),
        }),
      ),
      csv: csvView,
    }),

    async run(context, { campaign_ids, format }) {
      if (new Set(campaign_ids).size < campaign_ids.length) {
        const text = 'campaign_ids names a campaign twice.'
        throw refuse('invalid_request', text, {
          field: 'campaign_ids',
          data: { reason: 'same_campaign_twice' },
        })
      }
      const compared = []
      for (const campaignId of campaign_ids) {
        const campaign = await campaignOf(context, campaignId, 'campaign_ids')
        const route = campaign.route ?? (await routeOf(context.business.id, campaign.channel))
        compared.push(await figuresOf(context, campaign, route))
      }
      const [first] = compared
      return {
        campaigns: compared.map((figures) => ({
          ...figures,
          differences: first && figures !== first ? differencesOf(figures, first) : [],
        })),
        ...(format && { csv: figuresCsv(compared) }),
      }
    },
  })

type Context = Pick<BusinessContext, 'db' | 'business'>

async function campaignOf(
  { db, business }: Context,
  campaignId: string,
  field = 'campaign_id',
): Promise<Campaign> {
  const campaign = await reportedCampaign(db, business.id, campaignId)
  if (campaign) return campaign
  const { code, message, details } = noSuchCampaign(campaignId)
  throw refuse(code, message, { ...details, field })
}

interface Figures {
  campaign_id: string
  name: string
  channel: Campaign['channel']
  status: Campaign['state']
  deployed_at: string | null
  counts: Counts
  rates: Record<RateName, number | null>
  delivery_reported: boolean
  complaints_reported: boolean
  revenue: Awaited<ReturnType<typeof campaignRevenue>>
}

async function figuresOf(
  { db, business }: Context,
  campaign: Campaign,
  route: Reporting,
): Promise<Figures> {
  const [[counts = noCounts], revenue] = await Promise.all([
    countsOfEach(db, business.id, [campaign.id]),
    campaignRevenue(db, business.id, campaign.id),
  ])
  const reported = reportedOf(counts, route)
  return {
    campaign_id: formatId('campaign', campaign.id),
    name: campaign.name,
    channel: campaign.channel,
    status: campaign.state,
    deployed_at: campaign.deployedAt?.toISOString() ?? null,
    counts,
    rates: ratesOf(counts, reported),
    ...reported,
    revenue,
  }
}

/** What was counted was reported, whatever the way was thought to tell. */
const reportedOf = (counts: Counts, route: Reporting) => ({
  delivery_reported: route.deliveryReported || counts.delivered > 0,
  complaints_reported: route.complaintsReported || counts.complained > 0,
})

interface Reporting {
  deliveryReported: boolean
  complaintsReported: boolean
}

const noCounts: Counts = byName(countNames, 0)

/** Without reports a share of 0 would say what nobody knows, so it is null. */
function ratesOf(
  counts: Counts,
  reported: { delivery_reported: boolean; complaints_reported: boolean },
): Record<RateName, number | null> {
  const share = (name: RateName) => (counts.sent > 0 ? counts[name] / counts.sent : null)
  return {
    delivered: reported.delivery_reported ? share('delivered') : null,
    bounced: share('bounced'),
    opened: share('opened'),
    clicked: share('clicked'),
    unsubscribed: share('unsubscribed'),
    complained: reported.complaints_reported ? share('complained') : null,
  }
}

/** The counters of each campaign, in the order of their ids here. */
async function countsOfEach(
  db: Db,
  businessId: Id<'business'>,
  campaignIds: readonly Id<'campaign'>[],
): Promise<Counts[]> {
  const rows = await db.all<{ id: Id<'campaign'>; metric: CountName; amount: number }>(sql`
    select campaign_id as id, metric, sum(amount)::bigint as amount from campaign_counts
    where business_id = ${businessId} and campaign_id = any (${[...campaignIds]}::uuid[])
      and metric = any (${[...countNames]}::text[])
    group by campaign_id, metric
  `)
  return campaignIds.map((id) => ({
    ...noCounts,
    ...Object.fromEntries(
      rows.filter((row) => row.id === id).map(({ metric, amount }) => [metric, amount]),
    ),
  }))
}

interface Earlier extends Reporting {
  id: Id<'campaign'>
}

/** The mean of the shares of the campaigns before it, so that a large one does not outweigh the rest. */
async function usualRates(db: Db, businessId: Id<'business'>, campaign: Campaign) {
  const earlier = await earlierCampaigns(db, businessId, campaign)
  const counts = await countsOfEach(
    db,
    businessId,
    earlier.map(({ id }) => id),
  )
  const rates = counts.flatMap((entry, i) => {
    const reported = earlier[i]
    return reported ? [ratesOf(entry, reportedOf(entry, reported))] : []
  })
  const mean = (name: RateName) => {
    const shares = rates.flatMap((entry) => entry[name] ?? [])
    return shares.length === 0 ? null : shares.reduce((a, b) => a + b, 0) / shares.length
  }
  const means = rateNames.map((name) => [name, mean(name)] as const)
  return {
    campaigns: earlier.length,
    rates: Object.fromEntries(means) as Record<RateName, number | null>,
  }
}

function earlierCampaigns(
  db: Db,
  businessId: Id<'business'>,
  { id, channel, deployedAt }: Campaign,
): Promise<Earlier[]> {
  return db.all(sql`
    select c.id, coalesce(c.delivery_reported, false) as "deliveryReported",
      coalesce(c.complaints_reported, false) as "complaintsReported"
    from campaigns c
    where c.business_id = ${businessId} and c.channel = ${channel} and c.id <> ${id}
      and c.deployed_at is not null
      and (${deployedAt}::timestamptz is null or c.deployed_at < ${deployedAt})
      and (
        select sum(n.amount) from campaign_counts n
        where n.business_id = ${businessId} and n.campaign_id = c.id and n.metric = 'sent'
      ) > 0
    order by c.deployed_at desc, c.id desc limit ${usualCampaigns}
  `)
}

/**
 * Recipients of whom nobody knows whether they opened it: a machine alone loaded the picture, as
 * Apple's prefetch does, or nothing is tracked of them.
 */
async function opensOf(
  db: Db,
  businessId: Id<'business'>,
  campaign: Campaign,
): Promise<{ machines_only: number; not_tracked: number }> {
  const isTracked = await hasPicture(db, businessId, campaign)
  return db.one(sql`
    select (count(*) filter (where r.marks & 7 = 2))::int as machines_only,
      (count(*) filter (where r.marks & 7 = 0 and (
        not ${isTracked}::boolean or not b.track_opens or b.tracking = 'nobody'
        or c.id is null or case b.tracking when 'agreed' then c.tracking_consent <> 'subscribed'
          else c.tracking_consent = 'unsubscribed' end
      )))::int as not_tracked
    from campaign_recipients r
    join businesses b on b.id = ${businessId}
    left join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
    where r.business_id = ${businessId} and r.campaign_id = ${campaign.id}
      and r.state in ('sent', 'delivered', 'bounced')
  `)
}

const ways = ['one_click', 'page', 'other'] as const

/** How the people who unsubscribed because of the campaign did so, by the ledger of consent. */
function waysOut(
  db: Db,
  businessId: Id<'business'>,
  { id, channel, deployedAt }: Campaign,
): Promise<{ way: (typeof ways)[number]; people: number }[]> {
  return db.all(sql`
    select way, count(*)::int as people
    from campaign_recipients r
    left join lateral (
      select source from consent_events e
      where e.business_id = ${businessId} and e.contact_id = r.contact_id
        and e.channel = ${channel} and e.action = 'unsubscribed' and e.created_at >= ${deployedAt}
      order by e.created_at, e.id limit 1
    ) l on true
    cross join lateral (
      select case when l.source like 'one-click unsubscribe,%' then 'one_click'
        when l.source like 'unsubscribe page,%' or l.source like 'preference page,%' then 'page'
        else 'other' end as way
    ) w
    where r.business_id = ${businessId} and r.campaign_id = ${id} and r.marks & 32 <> 0
    group by way order by people desc, way
  `)
}

interface SegmentFigures {
  segment_id: string
  name: string
  sent: number
  opened: number
  clicked: number
  unsubscribed: number
}

/** The time limit of a count; with more people than it allows, the segments are left out. */
const timeLimit = seconds(5)

async function bySegment(
  context: BusinessContext,
  campaignId: Id<'campaign'>,
  segmentIds: readonly string[] | undefined,
): Promise<SegmentFigures[] | undefined> {
  const { db, business } = context
  const figures: SegmentFigures[] = []
  for (const { id, name } of await segmentsOf(context, segmentIds)) {
    const where = await compileCondition(context, { segment: formatId('segment', id) }, bySegmentId)
    try {
      const counts = await countWithin(db, business.id, { campaignId, where: where() })
      figures.push({ segment_id: formatId('segment', id), name, ...counts })
    } catch (error) {
      if (!isGivenUp(error)) throw error
      return undefined
    }
  }
  return figures
}

async function segmentsOf(context: Context, segmentIds: readonly string[] | undefined) {
  if (segmentIds === undefined) return newestSegments(context, mostSegments)
  return Promise.all(segmentIds.map((segmentId) => segmentOf(context, segmentId)))
}

/** Recipients who are in the segment now. */
function countWithin(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, where }: { campaignId: Id<'campaign'>; where: Sql },
): Promise<Omit<SegmentFigures, 'segment_id' | 'name'>> {
  const statement = sqlWithin`
    select count(*)::int as sent, (count(*) filter (where r.marks & 1 <> 0))::int as opened,
      (count(*) filter (where r.marks & 4 <> 0))::int as clicked,
      (count(*) filter (where r.marks & 32 <> 0))::int as unsubscribed
    from campaign_recipients r
    join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
    where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
      and r.state in ('sent', 'delivered', 'bounced') and ${where}
  `
  return db.one(within(timeLimit, plannedAnew(statement)))
}

/** How each rate differs from the first campaign's. The bounds are of the difference of the shares. */
function differencesOf(figures: Figures, first: Figures) {
  return rateNames.flatMap((rate) => {
    if (figures.rates[rate] === null || first.rates[rate] === null) return []
    const share = ({ counts }: Figures) => ({ of: counts.sent, did: counts[rate] })
    const { low, high } = differenceInterval(share(figures), share(first), 1.96)
    return [{ rate, low, high, beyond_chance: low > 0 || high < 0 }]
  })
}

interface CsvParts {
  usual?: { rates: Record<RateName, number | null> }
  providers?: Static<typeof providersView>
  segments?: readonly SegmentFigures[]
  links?: readonly { url: string; people: number; machines: number }[]
}

/** One figure a line, because the parts of a report have different ones. */
function figuresCsv(campaigns: readonly Figures[], parts: CsvParts = {}): string {
  const line = (part: string, name: string) => (entry: readonly [string, number | null]) => {
    const [figure, value] = entry
    return { part, name, figure, value }
  }
  const rows = campaigns.flatMap(({ name, counts, rates, revenue }) => [
    ...countNames.map((figure) => [figure, counts[figure]] as const).map(line('campaign', name)),
    ...ratesOfPart(rates).map(line('campaign', name)),
    ...revenue.flatMap(({ currency, orders, refunds, value }) =>
      Object.entries({ orders, refunds, value }).map(line('revenue', currency ?? '')),
    ),
  ])
  const { usual, providers = [], segments = [], links = [] } = parts
  const others = [
    ...(usual ? ratesOfPart(usual.rates).map(line('usual', '')) : []),
    ...providers.flatMap(({ provider, sent, delivered, bounced, complained, ...entry }) =>
      Object.entries({
        sent,
        delivered,
        bounced,
        complained: entry.complaints_reported ? complained : null,
      }).map(line('provider', provider ?? '')),
    ),
    ...segments.flatMap(({ name, sent, opened, clicked, unsubscribed }) =>
      Object.entries({ sent, opened, clicked, unsubscribed }).map(line('segment', name)),
    ),
    ...links.flatMap(({ url, people, machines }) =>
      Object.entries({ people, machines }).map(line('link', url)),
    ),
  ]
  return csvOf(['part', 'name', 'figure', 'value'], [...rows, ...others])
}

const ratesOfPart = (rates: Record<RateName, number | null>) =>
  rateNames.map((name) => [`${name}_rate`, rates[name]] as const)
