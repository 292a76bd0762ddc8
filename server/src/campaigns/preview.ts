import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { excerpt } from '../lib/text/excerpt.ts'
import { leavesThisMachine } from '../messages/view.ts'
import { previewData } from '../templates/preview-data.ts'
import { isListed } from '../templates/previews.ts'
import { exclusions } from './audience/audience.ts'
import { byCampaign, campaignLimits, findCampaign, isByKeeping } from './campaign.ts'
import type { PlanParties } from './preflight/dependencies.ts'
import { gateOfWordsView, viewOfGate } from './preflight/gates/gate.ts'
import { type Plan, planOf } from './preflight/plan.ts'
import { withFooters } from './preflight/with-footer.ts'
import { finishOf } from './sending/pace.ts'
import { checkAllowed } from './states.ts'
import { taggedExample } from './utm.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

/** How many characters of a sample an answer shows by default: as much as a person skims. */
const textShown = 800

/** Of a feed they are strangers' text, and stand under `untrusted`. */
const words = {
  subject: Type.String(),
  text: Type.String({ description: `Its first ${textShown} characters, without content: true.` }),
}

const sample = Type.Object({
  variant: Type.Integer(),
  language: Type.Optional(Type.String()),
  data: Type.Enum(previewData),
  subject: Type.Optional(words.subject),
  text: Type.Optional(words.text),
  html_bytes: Type.Integer(),
  untrusted: Type.Optional(untrusted(words)),
})

const utmView = Type.Object({ url: Type.String(), tagged_url: Type.String() })

/** The most providers of the warm-up that are shown. */
const providersShown = 6

const warmUpView = Type.Object({
  days: Type.Integer(),
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      recipients: Type.Integer(),
      days: Type.Integer(),
    }),
  ),
})

export function campaignPreview(parties: PlanParties) {
  return operation({
    name: 'campaign.preview',
    title: 'Plan a campaign',
    area: 'campaigns',
    everyday: true,
    summary:
      'What deploying it now would do: exact recipients, who is left out and why, cost, gates with remedies, samples, and the plan_hash for campaign.deploy. Sends nothing.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/campaigns/:campaign_id/preview',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      content: Type.Optional(Type.Boolean({ description: 'With samples in full.' })),
      throttle_per_minute: Type.Optional(
        Type.Integer({ minimum: 1, maximum: campaignLimits.throttle }),
      ),
    },
    output: Type.Object({
      ...campaignFields,
      recipients: Type.Integer(),
      excluded: Type.Array(Type.Object({ reason: Type.Enum(exclusions), count: Type.Integer() })),
      languages: Type.Optional(
        Type.Array(
          Type.Object({
            language: Type.Union([Type.String(), Type.Null()]),
            recipients: Type.Integer(),
          }),
        ),
      ),
      held: Type.Integer(),
      cost: Type.Object({
        metric: Type.String(),
        amount: Type.Integer(),
        left: Type.Union([Type.Integer(), Type.Null()]),
      }),
      finishes_at: Type.Union([Type.String(), Type.Null()]),
      from: Type.Union([Type.String(), Type.Null()]),
      leaves_this_machine: leavesThisMachine,
      warm_up: Type.Optional(warmUpView),
      utm_example: Type.Optional(utmView),
      gates: Type.Array(gateOfWordsView),
      samples: Type.Array(sample),
      plan_hash: Type.String(),
      untrusted: Type.Optional(untrusted({ utm_example: Type.Optional(utmView) })),
    }),

    async run(
      { db, business, principal, hmac, now },
      { campaign_id, content = false, throttle_per_minute },
    ) {
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      checkAllowed('preview', campaign)
      // A link can carry to its host what a connection has read, whoever looks at it first.
      const asksLinks = principal.keepsDataIn
        ? ('own' as const)
        : !(await isByKeeping(db, business.id, campaign)) || ('own_warned' as const)
      const request = { business, now, asksLinks }
      const plan = await planOf({ db, hmac, ...parties }, campaign, request)
      const of = { businessId: business.id, previews: plan.samples, utm: plan.utm }
      const samples = await withFooters(db, parties, of)
      const ownHosts = [new URL(parties.templates.testUrl).host]
      const pages = plan.samples.map(({ html, text }) => html ?? text)
      const example = plan.utm && taggedExample(pages, plan.utm, ownHosts)
      const perMinute = throttle_per_minute ?? campaign.throttlePerMinute
      const pace = { perMinute, canaryWaitMs: parties.canaryWaitMs }
      const finish = finishOf(plan.recipients, pace, now)
      const { leavesMachine } = await parties.routeOf(business.id, campaign.channel)
      return {
        ...fieldsOf(campaign),
        leaves_this_machine: leavesMachine,
        ...shown({ ...plan, samples }, content),
        finishes_at: finish?.toISOString() ?? null,
        ...(example &&
          (plan.ofFeed ? { untrusted: { utm_example: example } } : { utm_example: example })),
      }
    },
  })
}

function shown(plan: Plan, withContent: boolean) {
  const {
    recipients,
    excluded,
    languages,
    deferred,
    cost,
    from,
    gates,
    warmUp,
    samples,
    hash,
    ofFeed,
  } = plan
  const [longest] = warmUp ?? []
  const piece = (text: string) => (withContent ? text : excerpt(text, textShown))
  return {
    recipients,
    excluded,
    ...(languages && { languages: [...languages] }),
    held: deferred,
    cost,
    from: from ?? null,
    ...(warmUp &&
      longest &&
      longest.days > 1 && {
        warm_up: { days: longest.days, providers: warmUp.slice(0, providersShown) },
      }),
    gates: gates.map((gate) => viewOfGate(gate, ofFeed)),
    samples: samples.filter(isListed).map(({ html, subject, text, ...sample }) => {
      const words = { subject: piece(subject), text: piece(text) }
      return {
        ...sample,
        ...(ofFeed ? { untrusted: words } : words),
        html_bytes: Buffer.byteLength(html ?? ''),
      }
    }),
    plan_hash: hash,
  }
}
