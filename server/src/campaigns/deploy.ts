import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { isRefusal, orRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import {
  type BusinessContext,
  type Hmac,
  isApprover,
  isConnection,
  type Origin,
  operation,
} from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import type { Tx } from '../lib/db/types.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import { later } from '../lib/time/clock.ts'
import { leavesThisMachine } from '../messages/view.ts'
import { saveOwned } from '../templates/owned.ts'
import { takeOfConnection } from '../usage/connection-limit.ts'
import {
  byCampaign,
  type Campaign,
  campaignLimits,
  campaignStates,
  findCampaign,
  updateVariant,
  type ZoneMode,
} from './campaign.ts'
import { type Outside, outsideReasons } from './mandates/judge.ts'
import { outsideOfMandate } from './mandates/judge-campaign.ts'
import {
  type Mandate,
  type MandateOrder,
  mandateOf,
  releasePeople,
  takePeople,
} from './mandates/mandate.ts'
import type { PlanParties } from './preflight/dependencies.ts'
import { refuseBlocked } from './preflight/gates/gate.ts'
import { type Plan, planOf, storedPlan } from './preflight/plan.ts'
import { drifted, driftOf, readPlanHash } from './preflight/plan-hash.ts'
import { readWhen, type Schedule, whenInput } from './preflight/when.ts'
import { holdAllowance, releaseAllowance } from './sending/approval-allowance.ts'
import { awaitApproval, lockIfAllowed, startSending, writeOrder } from './sending/transitions.ts'
import { possibleIn, refusedIn } from './states.ts'
import { approvalUrl, campaignIdInput, noSuchCampaign, scheduleOf, scheduleView } from './view.ts'

export interface DeployParts extends PlanParties {
  /** The address of the app, where people approve. */
  appUrl: string
}

export const orderedFields = {
  campaign_id: Type.String(),
  status: Type.Enum(campaignStates),
  recipients: Type.Integer(),
  leaves_this_machine: leavesThisMachine,
  schedule: scheduleView,
  approval_url: Type.Optional(Type.String()),
  approval_reason: Type.Optional(Type.Enum(['no_plan_hash', 'personal_links', 'deploy_limit'])),
  mandate: Type.Optional(
    Type.Object({
      mandate_id: Type.String(),
      inside: Type.Boolean(),
      outside: Type.Array(
        Type.Object({ reason: Type.Enum(outsideReasons), message: Type.String() }),
      ),
    }),
  ),
}

export function campaignDeploy(parts: DeployParts) {
  return operation({
    name: 'campaign.deploy',
    aliases: ['deploy_campaign'],
    title: 'Send a campaign',
    area: 'campaigns',
    everyday: true,
    summary:
      'Send a draft to its audience, now or at send_at. With plan_hash it is refused if recipients, content or sender drifted. Above the business’s limit it waits: a person opens approval_url.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/campaigns/:campaign_id/deploy',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      plan_hash: Type.Optional(Type.String({ maxLength: 100, description: 'Of the preview.' })),
      ...whenInput,
      throttle_per_minute: Type.Optional(
        Type.Integer({ minimum: 1, maximum: campaignLimits.throttle }),
      ),
    },
    output: Type.Object(orderedFields),

    run(context, input) {
      return orderCampaign(context, parts, input)
    },
  })
}

export interface OrderInput {
  campaign_id: string
  plan_hash?: string
  send_at?: string
  zone?: ZoneMode
  throttle_per_minute?: number
  /** So much later it starts, where nobody has to approve it; until then it can be taken back. */
  undoMs?: number
}

type Ordered = Static<TObject<typeof orderedFields>>

/** Orders a campaign by the plan of this moment: it starts, waits for its time or for approval. */
export async function orderCampaign(
  { db, business, hmac, now, origin, principal, appUrl, write }: BusinessContext,
  parts: DeployParts,
  { campaign_id, plan_hash, undoMs = 0, ...input }: OrderInput,
) {
  const id = parseId('campaign', campaign_id)
  const campaign = id && (await findCampaign(db, business.id, id))
  if (!campaign) throw noSuchCampaign(campaign_id)
  // A repeated call with the same key gets the first call's answer, whatever has changed since.
  const refuseOnce = (refusal: Refusal) => write<Ordered>(() => Promise.reject(refusal))
  const refused = refusedIn('deploy', campaign)
  if (refused) return refuseOnce(refused)
  const deploying = await readDeploySettings(db, business.id)
  if (!deploying) throw new Error('a business that is called and not there')
  const when = await orRefusal(() => readWhen(input, { timeZone: deploying.timeZone, now }))
  if (isRefusal(when)) return refuseOnce(when)
  const unmoved = campaign.state === 'scheduled' && refuseUnmoved(campaign, input, when)
  if (unmoved) return refuseOnce(unmoved)
  const plan = await planOf({ db, hmac, ...parts }, campaign, {
    business,
    now,
    asksLinks: false,
  })
  checkMayDeploy({ hmac, id, plan }, plan_hash)
  const { leavesMachine } = await parts.routeOf(business.id, campaign.channel)
  const { connectionId } = principal
  const mandate =
    connectionId === null ? undefined : await mandateOf(db, business.id, { connectionId, now })
  const judged =
    mandate &&
    (await outsideOfMandate({ db, hmac }, mandate, {
      businessId: business.id,
      campaign,
      plan,
      when,
      ...deploying,
      ownHost: new URL(parts.templates.testUrl).hostname,
      now,
    }))
  return write(async (tx) => {
    const locked = await lockIfAllowed('deploy', tx, { businessId: business.id, id })
    if (locked.state !== campaign.state) throw orderedMeanwhile(locked)
    if (locked.version !== campaign.version) throw drifted(id, [{ what: 'content' }])
    await saveLook(tx, business.id, { campaign: locked, plan, origin, now })
    const isMoved = locked.state === 'scheduled'
    const throttlePerMinute =
      input.throttle_per_minute ?? (isMoved ? locked.throttlePerMinute : null)
    const approved = isApprover(principal, business) && !deploying.twoPeople
    const startAt = undoMs > 0 ? later(now, undoMs) : when.sendAt
    const plannedSend = { id, recipients: plan.recipients, sendAt: startAt }
    await releaseAllowance(tx, business.id, locked)
    await releasePeople(tx, business.id, id)
    // A program that did not look at the plan does not know what it sends, and to whom.
    // In test mode nobody approves, and nothing leaves this machine.
    const isUnseen = principal.connectionId !== null && plan_hash === undefined && !principal.isTest
    const tellsOthers = isConnection(principal) && plan.personalHosts.length > 0
    const isShown = !isUnseen && !tellsOthers
    const order: MandateOrder = {
      objectId: id,
      kind: 'campaign',
      people: plan.recipients,
      at: startAt ?? now,
    }
    const outside = judged && [...judged]
    if (mandate && outside?.length === 0 && isShown) {
      const isTaken = await takePeople(tx, business.id, { id: mandate.id, order, now })
      if (!isTaken) outside.push(tooManyPeople(mandate))
    }
    const isMandated = isShown && outside?.length === 0
    const waits =
      !approved &&
      !isMandated &&
      (!isShown || !(await holdAllowance(tx, business.id, plannedSend, now)))
    // An approval comes after second thoughts: what it lets go starts at once.
    const schedule = waits ? when : { ...when, sendAt: startAt }
    const counted = countedBefore(locked, origin.connectionId)
    const ordered = {
      businessId: business.id,
      recipients: Math.max(0, plan.recipients - counted),
    }
    const over = waits ? undefined : await takeOfConnection(tx, { principal, appUrl }, ordered, now)
    if (over) throw over
    await writeOrder(
      tx,
      business.id,
      {
        id,
        ...schedule,
        throttlePerMinute,
        recipients: plan.recipients,
        plan: storedPlan(plan),
        planHash: plan.hash,
        approval: waits ? 'asked' : approved || isMandated ? 'approved' : null,
        userId: principal.userId,
        decidedBy: mandate && isMandated ? mandate.signedBy : null,
        connectionId: origin.connectionId,
        callId: parseId('request', origin.callId) ?? null,
      },
      now,
    )
    const deployed = { ...locked, ...schedule, throttlePerMinute, recipients: plan.recipients }
    const by = { businessId: business.id, origin }
    if (waits) await awaitApproval(tx, deployed, by, now)
    const status = waits
      ? ('awaiting_approval' as const)
      : await startSending(tx, deployed, by, now)
    const mandated = mandate && outside && isShown
    const details = {
      status,
      recipients: plan.recipients,
      ...(mandate && isMandated && { mandate: formatId('mandate', mandate.id) }),
    }
    const entry = { businessId: business.id, action: 'campaign.deploy', subject: campaign_id }
    await recordAudit(tx, [{ ...entry, details, origin }], now)
    const { recipients } = plan
    const answer = {
      campaign_id,
      status,
      recipients,
      leaves_this_machine: leavesMachine,
      schedule: scheduleOf(deployed),
      ...(mandated && {
        mandate: {
          mandate_id: formatId('mandate', mandate.id),
          inside: isMandated,
          outside,
        },
      }),
    }
    if (!waits) return answer
    const approval_reason = isUnseen
      ? ('no_plan_hash' as const)
      : tellsOthers
        ? ('personal_links' as const)
        : ('deploy_limit' as const)
    return { ...answer, approval_url: approvalUrl(parts.appUrl, id), approval_reason }
  })
}

function tooManyPeople({ terms }: Mandate): Outside {
  const message = `These would be more than ${terms.people_per_week} people in seven days.`
  return { reason: 'people_per_week', message }
}

interface PlannedLook {
  campaign: Campaign
  plan: Plan
  origin: Origin
  now: Date
}

/** The look of the plan is the one that is approved and sent, whatever the brand is later. */
async function saveLook(
  tx: Tx,
  businessId: Id<'business'>,
  { campaign, plan, origin, now }: PlannedLook,
): Promise<void> {
  const { id: campaignId, name, channel } = campaign
  for (const { position, templateId, restyled } of plan.variants) {
    if (!restyled) continue
    const content = { name, channel, ...restyled }
    const owned = { campaignId, templateId, content, origin, now }
    const { versionId } = await saveOwned(tx, businessId, owned)
    await updateVariant(tx, businessId, campaignId, { position, versionId })
  }
}

/** A scheduled campaign is deployed anew to move it; a call that would not move it is a mistake. */
function refuseUnmoved(
  campaign: Campaign,
  { send_at }: { send_at?: string },
  when: Schedule,
): Refusal | undefined {
  const isSame =
    when.sendAt?.getTime() === campaign.sendAt?.getTime() && when.zoneMode === campaign.zoneMode
  if (send_at !== undefined && !isSame) return undefined
  const { at, zone } = scheduleOf(campaign) ?? { at: 'now', zone: 'business' }
  const text = `The campaign is scheduled for ${at} (${zone}) already. Another send_at moves it; campaign.unschedule makes it a draft again.`
  return refuse('conflict', text, {
    field: 'send_at',
    data: { reason: 'changed_meanwhile', status: campaign.state, possible: possibleIn(campaign) },
    fix: { tool: 'campaign.unschedule', arguments: campaignArgument(campaign.id) },
  })
}

function orderedMeanwhile(campaign: Campaign): Refusal {
  const text = `The campaign was changed by another call meanwhile and is ${campaign.state} now: look at it again.`
  return refuse('conflict', text, {
    data: { reason: 'not_in_this_state', status: campaign.state, possible: possibleIn(campaign) },
    fix: { tool: 'campaign.get', arguments: campaignArgument(campaign.id) },
  })
}

/** The recipients of a scheduled campaign that its connection's daily limit counted already. */
function countedBefore(
  { state, approval, connectionId, recipients }: Campaign,
  caller: Id<'connection'> | null,
): number {
  const isCounted = state === 'scheduled' && approval === null && connectionId === caller
  return isCounted ? (recipients ?? 0) : 0
}

const campaignArgument = (id: Id<'campaign'>) => ({ campaign_id: formatId('campaign', id) })

interface ToDeploy {
  hmac: Hmac
  id: Id<'campaign'>
  plan: Plan
}

/** Refuses a campaign that a gate blocks, or that differs from the preview. */
export function checkMayDeploy({ hmac, id, plan }: ToDeploy, hash: string | undefined): void {
  const before = hash === undefined ? plan.parts : readPlanHash(hmac, id, hash)
  const fix = { tool: 'campaign.preview', arguments: campaignArgument(id) }
  if (!before) {
    const text = 'plan_hash is not of this campaign: pass it as campaign.preview gave it, or none.'
    throw refuse('invalid_request', text, {
      field: 'plan_hash',
      fix,
      data: { reason: 'changed_meanwhile' },
    })
  }
  const differences = driftOf(before, plan.parts)
  if (differences.length > 0) throw drifted(id, differences)
  const blocked = refuseBlocked(plan.gates, plan.ofFeed)
  if (blocked) throw blocked
}
