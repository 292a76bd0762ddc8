import { checkSending } from '../accounts/stops/stops.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { checkFreshFactor, proofOf } from '../core/fresh-factor.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, isApprover, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Campaign } from './campaign.ts'
import { byCampaign, findCampaign } from './campaign.ts'
import type { DeployParts } from './deploy.ts'
import { refuseBlocked } from './preflight/gates/gate.ts'
import { planOf } from './preflight/plan.ts'
import { releaseAllowance } from './sending/approval-allowance.ts'
import { lockIfAllowed, resumeCampaign, writeDecision } from './sending/transitions.ts'
import { ownOrderRefusal } from './two-people.ts'
import { approvalUrl, campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

export function campaignResume(parties: DeployParts) {
  return operation({
    name: 'campaign.resume',
    aliases: ['resume_campaign'],
    title: 'Resume a campaign',
    area: 'campaigns',
    everyday: true,
    summary: 'Goes on where it paused; nobody gets it twice.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/campaigns/:campaign_id/resume',
    locate: { campaign_id: byCampaign },
    input: { campaign_id: campaignIdInput },
    output: Type.Object(campaignFields),

    async run(context, { campaign_id }) {
      const { db, business, hmac, now, origin, principal, write } = context
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      const isApproval = campaign.state === 'paused' && campaign.pauseReason === 'approval'
      if (isApproval) {
        if (!isApprover(principal, business)) throw onlyByPerson(parties, id)
        const own = await ownOrderRefusal(context, campaign)
        if (own) throw own
        checkFreshFactor(context, 'approving')
      }
      if (campaign.state === 'paused' && campaign.pauseReason === 'gate') {
        const request = { business, now, asksLinks: false }
        const plan = await planOf({ db, hmac, ...parties }, campaign, request)
        const closed = refuseBlocked(plan.gates, plan.ofFeed)
        if (closed) throw closed
      }
      return write(async (tx) => {
        const locked = await lockIfAllowed('resume', tx, { businessId: business.id, id })
        await checkSending(tx, business.id)
        if (locked.pauseReason === 'stopped' && !isApprover(principal, business)) {
          throw stoppedByPerson(parties, id)
        }
        // The campaign must still be paused for the reason that was checked above.
        if (locked.pauseReason !== campaign.pauseReason) throw pausedAnew()
        if (isApproval) await approve(tx, locked, context)
        const resumed = await resumeCampaign(tx, { businessId: business.id, id, origin }, now)
        return fieldsOf(resumed)
      })
    },
  })
}

/**
 * Resuming a campaign that exceeded the limit approves it: from now on it does not count against
 * the limit.
 */
async function approve(tx: Tx, campaign: Campaign, context: BusinessContext): Promise<void> {
  const { business, principal, origin, now } = context
  const { id, recipients } = campaign
  const decision = {
    id,
    approval: 'approved',
    refusalReason: null,
    userId: principal.userId,
    approvedRecipients: recipients,
  } as const
  await releaseAllowance(tx, business.id, campaign)
  await writeDecision(tx, business.id, decision, now)
  const subject = formatId('campaign', id)
  const entry = { businessId: business.id, action: 'campaign.approve', subject, origin }
  await recordAudit(
    tx,
    [{ ...entry, details: { recipients: recipients ?? 0, ...proofOf(context) } }],
    now,
  )
}

/** What a person stopped, no connection starts again. */
function stoppedByPerson({ appUrl }: DeployParts, id: Id<'campaign'>): Refusal {
  const url = approvalUrl(appUrl, id)
  const text = `A person stopped it together with its assistant, or with all sending: an admin or owner resumes it at ${url}.`
  return refuse('conflict', text, { data: { reason: 'stopped' }, fix: { url } })
}

function pausedAnew(): Refusal {
  const text = 'It was paused anew, for another reason, while you resumed it: look at it again.'
  return refuse('conflict', text, { data: { reason: 'paused' } })
}

/**
 * The refusal if the campaign has outgrown what may be sent without approval since it was planned.
 */
function onlyByPerson({ appUrl }: DeployParts, id: Id<'campaign'>): Refusal {
  const url = approvalUrl(appUrl, id)
  const text = `More recipients came than may get it without a person’s approval: an admin or owner resumes it at ${url}.`
  return refuse('conflict', text, { data: { reason: 'approval_limit' }, fix: { url } })
}
