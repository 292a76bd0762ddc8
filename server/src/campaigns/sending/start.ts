/** A scheduled campaign falls due: it is planned again and deployed. */

import { readDeploySettings } from '../../accounts/businesses/deploy-settings.ts'
import { isStopped } from '../../accounts/stops/stops.ts'
import type { Id } from '../../core/ids.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { JobKinds } from '../../lib/jobs/job.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Campaign } from '../model/campaign.ts'
import { findCampaign } from '../model/queries.ts'
import type { PlanDeps } from '../preflight/dependencies.ts'
import { refuseBlocked } from '../preflight/gates/gate.ts'
import { type Plan, planOf, storedPlan } from '../preflight/plan.ts'
import { holdAllowance, releaseAllowance } from './approval-allowance.ts'
import { type CampaignName, type CampaignPayload, startJob } from './queue.ts'
import { bindPlan, lockCampaign } from './transition-queries.ts'
import { awaitApproval, pauseCampaign, startSending } from './transitions.ts'

export interface StartDeps extends PlanDeps {
  db: Database
  clock: Clock
}

export function startJobs(deps: StartDeps): JobKinds {
  return {
    [startJob]: {
      async run({ payload }) {
        const { business_id, campaign_id } = payload as CampaignPayload
        await start(deps, { businessId: business_id, id: campaign_id })
      },
    },
  }
}

async function start(deps: StartDeps, campaignName: CampaignName): Promise<void> {
  const { businessId, id } = campaignName
  const [campaign, deploying] = await Promise.all([
    findCampaign(deps.db, businessId, id),
    readDeploySettings(deps.db, businessId),
  ])
  if (!deploying || campaign?.state !== 'scheduled') return
  const now = deps.clock.now()
  const business = { id: businessId, tier: deploying.tier }
  const plan = await planOf(deps, campaign, { business, now, asksLinks: false })
  await deps.db.tx(async (tx) => {
    const locked = await lockCampaign(tx, businessId, id)
    if (locked?.state !== 'scheduled' || (locked.sendAt && locked.sendAt > now)) return
    const { recipients, hash } = plan
    await bindPlan(tx, businessId, { id, recipients, plan: storedPlan(plan), planHash: hash })
    const due = { ...locked, recipients }
    if (!(await isAllowed(tx, businessId, due, now))) {
      await awaitApproval(tx, due, campaignName, now)
    } else {
      await release(tx, campaignName, { due, plan, now })
    }
  })
}

/**
 * Whether a person has approved it, or its recounted recipients fit the limit once its own
 * reservation is released.
 */
async function isAllowed(
  tx: Tx,
  businessId: Id<'business'>,
  campaign: Campaign & { recipients: number },
  now: Date,
): Promise<boolean> {
  if (campaign.approval === 'approved') return true
  // An issue of a feed that a person has to see, whatever the limit is.
  if (campaign.approval === 'asked') return false
  await releaseAllowance(tx, businessId, campaign)
  return holdAllowance(tx, businessId, campaign, now)
}

interface Due {
  due: Campaign
  plan: Plan
  now: Date
}

/**
 * If a gate has closed since, or a person has stopped it, nothing is sent: a person fixes it and
 * resumes.
 */
async function release(tx: Tx, campaignName: CampaignName, { due, plan, now }: Due): Promise<void> {
  await startSending(tx, due, { ...campaignName, evenIfStopped: true }, now)
  if (refuseBlocked(plan.gates)) await pauseCampaign(tx, campaignName, 'gate', now)
  else if (await isStopped(tx, campaignName.businessId, due.connectionId)) {
    await pauseCampaign(tx, campaignName, 'stopped', now)
  }
}
