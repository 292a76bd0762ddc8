import { maxDeployLimit } from '../accounts/settings/setting-values.ts'
import { setAndCount } from '../accounts/settings/settings.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { checkFreshFactor, proofOf } from '../core/fresh-factor.ts'
import { checkFreshSignIn } from '../core/fresh-sign-in.ts'
import { formatId, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { queueRefusalMail } from './approvals/mail.ts'
import {
  byCampaign,
  type Campaign,
  campaignLimits,
  campaignStates,
  findCampaign,
} from './campaign.ts'
import { checkMayDeploy } from './deploy.ts'
import type { PlanParties } from './preflight/dependencies.ts'
import { planOf, storedPlan } from './preflight/plan.ts'
import {
  bindPlan,
  dropOrder,
  enterState,
  lockIfAllowed,
  startSending,
  writeDecision,
} from './sending/transitions.ts'
import { checkAllowed } from './states.ts'
import { ownOrderRefusal } from './two-people.ts'
import { campaignIdInput, noSuchCampaign, scheduleOf, scheduleView } from './view.ts'

/**
 * A person's decision about a campaign above the limit. The operation is not a tool and accepts no
 * token, so that no program can decide in the person's name. The person approves exactly the plan
 * that they were shown.
 */
export function campaignDecide({ appUrl, ...parties }: PlanParties & { appUrl: string }) {
  return operation({
    name: 'campaign.decide',
    title: 'Approve a campaign, or refuse it',
    summary:
      'Lets a campaign that awaits approval go out by the plan that was shown, or makes it a draft again, with the reason. Drift since then is refused with the difference.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    alsoFor: 'approver',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/campaigns/:campaign_id/decision',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      decision: Type.Enum(['approve', 'refuse']),
      plan_hash: Type.Optional(Type.String({ maxLength: 100, description: 'To approve.' })),
      reason: Type.Optional(
        Type.String({
          maxLength: campaignLimits.reasonLength,
          description: 'Why it is refused, for whoever changes it.',
        }),
      ),
      deploy_limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxDeployLimit,
          description: 'With an approval, an owner raises the limit for the next time.',
        }),
      ),
    },
    output: Type.Object({
      campaign_id: Type.String(),
      status: Type.Enum(campaignStates),
      schedule: scheduleView,
    }),

    async run(context, { campaign_id, decision, plan_hash, reason, deploy_limit }) {
      const { db, business, hmac, now, origin, principal, write } = context
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      checkAllowed('approve', campaign)
      if (decision === 'approve' && plan_hash === undefined) {
        const text = 'plan_hash is missing: that of the plan which was shown.'
        throw refuse('invalid_request', text, { field: 'plan_hash', data: { reason: 'missing' } })
      }
      if (decision === 'approve') checkFreshFactor(context, 'approving')
      if (deploy_limit !== undefined) checkMayRaise(context, { decision }, appUrl)
      const own = decision === 'approve' ? await ownOrderRefusal(context, campaign) : undefined
      if (own) throw own
      const request = { business, now, asksLinks: false }
      const plan = await planOf({ db, hmac, ...parties }, campaign, request)
      if (decision === 'approve') checkMayDeploy({ hmac, id, plan }, plan_hash)
      return write(async (tx) => {
        const locked = await lockIfAllowed('approve', tx, { businessId: business.id, id })
        // It may have been taken back, changed and ordered anew while its plan was made.
        if (!isSameOrder(locked, campaign)) throw orderedAnew(locked)
        const ownNow =
          decision === 'approve' ? await ownOrderRefusal({ ...context, db: tx }, locked) : undefined
        if (ownNow) throw ownNow
        const approval = decision === 'approve' ? 'approved' : 'refused'
        const refusalReason = reason?.trim() || null
        await writeDecision(
          tx,
          business.id,
          {
            id,
            approval,
            refusalReason,
            userId: principal.userId,
            approvedRecipients: decision === 'approve' ? plan.recipients : null,
          },
          now,
        )
        if (deploy_limit !== undefined) {
          const setting = { key: 'deploy_limit', value: `${deploy_limit}`, now }
          await setAndCount(tx, business.id, setting)
          const saved = { action: 'business.save', subject: formatId('business', business.id) }
          const details = { settings: 'deploy_limit', deploy_limit }
          await recordAudit(tx, [{ businessId: business.id, ...saved, details, origin }], now)
        }
        const entry = { businessId: business.id, action: `campaign.${decision}` }
        const details = { recipients: plan.recipients, plan: plan.hash, ...proofOf(context) }
        await recordAudit(tx, [{ ...entry, subject: campaign_id, details, origin }], now)
        if (decision === 'refuse') {
          await enterState(tx, business.id, { id, state: 'draft' }, now)
          await dropOrder(tx, business.id, id)
          const refusal = { campaign: locked, reason: refusalReason, refusedBy: principal.userId }
          await queueRefusalMail(tx, { businessId: business.id, ...refusal }, now)
          return { campaign_id, status: 'draft' as const, schedule: null }
        }
        const { recipients, hash } = plan
        const bound = { id, recipients, plan: storedPlan(plan), planHash: hash }
        await bindPlan(tx, business.id, bound)
        const ordered = { ...locked, recipients }
        const status = await startSending(tx, ordered, { businessId: business.id, origin }, now)
        return { campaign_id, status, schedule: scheduleOf(ordered) }
      })
    },
  })
}

/** Only an owner raises the limit, and only with a yes to what they see. */
function checkMayRaise(
  { business, principal, now }: Pick<BusinessContext, 'business' | 'principal' | 'now'>,
  { decision }: { decision: 'approve' | 'refuse' },
  appUrl: string,
): void {
  if (decision !== 'approve') {
    const text = 'deploy_limit is raised with an approval: approve, or leave it out.'
    throw refuse('invalid_request', text, {
      field: 'deploy_limit',
      data: { reason: 'only_with_approval' },
    })
  }
  if (business.role !== 'owner') {
    const text = 'Only an owner can raise deploy_limit. Approve without it.'
    throw refuse('role_required', text, { field: 'deploy_limit', data: { role: 'owner' } })
  }
  const change = 'The number of recipients without approval is raised'
  checkFreshSignIn(principal, { now, appUrl, what: change })
}

/** Whether what was judged before the lock is what waits under it: content, time and who asked. */
function isSameOrder(locked: Campaign, judged: Campaign): boolean {
  const orderOf = ({
    version,
    orderedBy,
    connectionId,
    sendAt,
    sendLocal,
    zoneMode,
    throttlePerMinute,
    recipients,
  }: Campaign) =>
    JSON.stringify([
      version,
      orderedBy,
      connectionId,
      sendAt,
      sendLocal,
      zoneMode,
      throttlePerMinute,
      recipients,
    ])
  return orderOf(locked) === orderOf(judged)
}

function orderedAnew({ id }: Pick<Campaign, 'id'>): Refusal {
  const text =
    'The campaign was withdrawn and resubmitted while you were reviewing it: look at it again. Nothing was decided.'
  return refuse('conflict', text, {
    data: { reason: 'ordered_anew' },
    fix: { tool: 'campaign.preview', arguments: { campaign_id: formatId('campaign', id) } },
  })
}
