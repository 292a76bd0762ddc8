import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { isApprover, operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { approvalUrl } from '../model/approval-url.ts'
import { findCampaign } from '../model/queries.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from '../model/view.ts'
import { closedBy } from '../preflight/gates/gate.ts'
import { planOf } from '../preflight/plan.ts'
import { resumeCampaign } from '../sending/transitions.ts'
import type { DeployParts } from './deploy.ts'

export function campaignResume(parties: DeployParts) {
  return operation({
    name: 'campaign.resume',
    aliases: ['resume_campaign'],
    title: 'Resume a campaign',
    summary: 'Goes on where it paused; nobody gets it twice.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/campaigns/:campaign_id/resume',
    input: { campaign_id: campaignIdInput },
    output: Type.Object(campaignFields),

    async run({ db, business, hmac, now, origin, principal, write }, { campaign_id }) {
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) return noSuchCampaign(campaign_id)
      const isApproval = campaign.state === 'paused' && campaign.pauseReason === 'approval'
      if (isApproval && !isApprover(principal, business)) return onlyByPerson(parties, id)
      if (campaign.state === 'paused' && campaign.pauseReason === 'gate') {
        const asked = { business, now, asksLinks: false }
        const plan = await planOf({ db, hmac, ...parties }, campaign, asked)
        const closed = closedBy(plan.gates)
        if (closed) return closed
      }
      return write(async (tx) => {
        const asked = { businessId: business.id, id, origin }
        const resumed = await resumeCampaign(tx, asked, now)
        return isRefusal(resumed) ? resumed : fieldsOf(resumed)
      })
    },
  })
}

/** It has outgrown what may go out unapproved since it was planned. */
function onlyByPerson({ appUrl }: DeployParts, id: Id<'campaign'>): Refusal {
  const url = approvalUrl(appUrl, id)
  const text = `More recipients came than may get it without a person’s approval: an admin or owner resumes it at ${url}.`
  return refuse('conflict', text, { data: { reason: 'approval_limit' }, fix: { url } })
}
