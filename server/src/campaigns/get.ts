import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { lastSaveOf, lastSaveView } from '../accounts/saves/last-save.ts'
import { campaignRevenue, revenueView } from '../contacts/own-events/revenue.ts'
import { parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { leavesThisMachine } from '../messages/view.ts'
import { versionContent } from '../templates/owned.ts'
import { isOfFeed } from '../templates/source.ts'
import { outdatedIn } from '../templates/translations/translations.ts'
import { findTest, resultsOf, testView, viewOfTest } from './ab-test/variant-test.ts'
import {
  approvalReasons,
  byCampaign,
  type Campaign,
  findCampaign,
  findVariants,
} from './campaign.ts'
import { listCounts } from './campaign-run.ts'
import { contentView } from './content.ts'
import type { PlanParties } from './preflight/dependencies.ts'
import { providerResults, providersView } from './providers/results.ts'
import { shownLinks } from './results/links.ts'
import { seriesOf, seriesView } from './results/series.ts'
import { waitingFor, waitingOf } from './sending/waiting.ts'
import { countOtherApprovers } from './two-people.ts'
import { approvalUrl, campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

const countsView = Type.Record(Type.String(), Type.Integer())

/** Of a feed they are strangers' text, and stand under `untrusted`. */
const words = {
  subject: Type.Optional(Type.String()),
  content: Type.Optional(contentView),
}

const variant = Type.Object({
  variant: Type.Integer(),
  share: Type.Integer(),
  ...words,
  outdated: Type.Optional(Type.Array(Type.String())),
  counts: countsView,
  untrusted: Type.Optional(untrusted(words)),
})

const linksView = Type.Array(
  Type.Object({ url: Type.String(), people: Type.Integer(), machines: Type.Integer() }),
)

/** Without reports a count of 0 says nothing. */
const routeFields = {
  leaves_this_machine: leavesThisMachine,
  delivery_reported: Type.Boolean({
    description: 'Whether arrivals are reported; else sent means accepted by the next server.',
  }),
  complaints_reported: Type.Boolean({
    description: 'Whether complaints are reported, by those providers that report any.',
  }),
}

/** The most links shown. */
const linksShown = 50

const waitsView = Type.Object({
  for: Type.Enum(waitingFor),
  until: Type.Union([Type.String(), Type.Null()]),
  complaints_reported: Type.Optional(Type.Boolean()),
  approval_url: Type.Optional(Type.String()),
  approval_reason: Type.Optional(Type.Enum([...approvalReasons])),
  other_approvers: Type.Optional(Type.Integer()),
  raise_limit_to: Type.Optional(Type.Integer()),
})

interface GetParts {
  appUrl: string
  campaigns: Pick<PlanParties, 'routeOf'>
}

export function campaignGet({ appUrl, campaigns: { routeOf } }: GetParts) {
  return operation({
    name: 'campaign.get',
    title: 'Look at a campaign',
    area: 'campaigns',
    everyday: true,
    summary: 'One campaign: its state and what came of it. Free, changes nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/campaigns/:campaign_id',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      content: Type.Optional(
        Type.Boolean({ description: 'With all of what it says; else its subject alone.' }),
      ),
    },
    output: Type.Object({
      ...campaignFields,
      ...routeFields,
      variants: Type.Array(variant),
      counts: countsView,
      links: Type.Optional(linksView),
      untrusted: Type.Optional(untrusted({ links: linksView })),
      providers: providersView,
      series: seriesView,
      revenue: revenueView,
      recipients_deleted_at: Type.Optional(
        Type.String({
          description: 'When retention had deleted who got it; the totals stay. ISO 8601, UTC.',
        }),
      ),
      ab: Type.Optional(testView),
      waits: Type.Optional(waitsView),
      saved: Type.Optional(lastSaveView),
    }),

    async run(context, { campaign_id, content: withContent = false }) {
      const { db, business, principal, now } = context
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      const route = campaign.route ?? (await routeOf(business.id, campaign.channel))
      const { complaintsReported } = route
      const [variants, counts, links, providers, series, revenue, test, waits, saved] =
        await Promise.all([
          findVariants(db, business.id, id),
          listCounts(db, business.id, id),
          shownLinks(context, { campaignId: id, limit: linksShown }),
          providerResults(db, { businessId: business.id, campaignId: id, complaintsReported }, now),
          seriesOf(db, business.id, id),
          campaignRevenue(db, business.id, id),
          findTest(db, { businessId: business.id, campaignId: id }),
          waitingOf(db, business.id, campaign, now),
          lastSaveOf(db, principal, { businessId: business.id, objectId: id }),
        ])
      const others =
        waits?.for === 'approval' ? await countOtherApprovers(context, campaign) : undefined
      const raised = waits?.for === 'approval' ? await raisedLimit(context, campaign) : undefined
      const views = variants.map(async ({ position, share, versionId }) => {
        const version = await versionContent(db, business.id, versionId)
        const its = counts.filter((count) => count.variant === position)
        const { subject } = { subject: undefined, ...version?.source }
        const isStrangers = version !== undefined && isOfFeed(version.source)
        const words = {
          ...(subject !== undefined && { subject }),
          ...(withContent && version && { content: { ...version.source } }),
        }
        return {
          variant: position,
          share,
          ...(isStrangers ? { untrusted: words } : words),
          ...(withContent &&
            version && {
              outdated: await outdatedIn(db, business.id, { versionId, source: version.source }),
            }),
          counts: sums(its),
        }
      })
      const shownVariants = await Promise.all(views)
      const isStrangers = shownVariants.some((view) => 'untrusted' in view)
      const total = sums(counts)
      const isReported = (metric: 'delivered' | 'complained', can: boolean) =>
        can || (total[metric] ?? 0) > 0
      return {
        ...fieldsOf(campaign),
        leaves_this_machine: route.leavesMachine,
        delivery_reported: isReported('delivered', route.deliveryReported),
        complaints_reported: isReported('complained', complaintsReported),
        variants: shownVariants,
        counts: total,
        ...(isStrangers ? { untrusted: { links } } : { links }),
        providers,
        series,
        revenue,
        ...(campaign.recipientsDeletedAt && {
          recipients_deleted_at: campaign.recipientsDeletedAt.toISOString(),
        }),
        ...(test && { ab: viewOfTest(test, resultsOf(variants, counts, test.decidedBy)) }),
        ...(saved && { saved }),
        ...(waits && {
          waits: {
            for: waits.for,
            until: waits.until?.toISOString() ?? null,
            ...(waits.for === 'first_recipients' && {
              complaints_reported: isReported('complained', complaintsReported),
            }),
            ...(waits.for === 'approval' && { approval_url: approvalUrl(appUrl, id) }),
            ...(campaign.approvalReason && { approval_reason: campaign.approvalReason }),
            ...(others !== undefined && { other_approvers: others }),
            ...(raised !== undefined && { raise_limit_to: raised }),
          },
        }),
      }
    },
  })
}

function sums(counts: readonly { metric: string; amount: number }[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { metric, amount } of counts) all[metric] = (all[metric] ?? 0) + amount
  return all
}

/** Limits that an owner may give instead of a number of their own. */
const usualLimits = [250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000] as const

/**
 * To what an owner who approves it may raise the limit, so that the connection asks less often; not
 * where a person ordered it, whom the limit does not bind.
 */
async function raisedLimit(
  { db, business, principal }: BusinessContext,
  { connectionId, recipients }: Campaign,
): Promise<number | undefined> {
  if (principal.connectionId !== null || business.role !== 'owner') return undefined
  if (connectionId === null) return undefined
  const limit = (await readDeploySettings(db, business.id))?.deployLimit ?? null
  if (limit === null) return undefined
  return usualLimits.find((usual) => usual > limit && usual >= (recipients ?? 0))
}
