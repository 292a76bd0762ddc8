import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import type { RunKey } from '../campaign-run.ts'
import { addCounts } from '../results/outcomes.ts'
import { releaseAllowance } from '../sending/approval-allowance.ts'
import { dropOrder, enterState, lockCampaign, pauseCampaign } from '../sending/transitions.ts'

export interface HeldCampaigns {
  /** Campaigns that were paused, with their open recipients set to unknown. */
  paused: number
  /** Campaigns that became drafts again, because the time they were ordered for has passed. */
  drafts: number
  recipientsInDoubt: number
}

export async function holdRestoredCampaigns(db: Database, now: Date): Promise<HeldCampaigns> {
  const counts: HeldCampaigns = { paused: 0, drafts: 0, recipientsInDoubt: 0 }
  for (const campaign of await findUnderWay(db, now)) {
    if (campaign.frozen) {
      counts.recipientsInDoubt += await db.tx((tx) => doubt(tx, campaign, now))
      counts.paused++
    } else {
      await db.tx((tx) => draftAgain(tx, campaign, now))
      counts.drafts++
    }
  }
  return counts
}

async function doubt(tx: Tx, { state, ...key }: UnderWay, now: Date): Promise<number> {
  const { businessId, campaignId } = key
  if (state === 'deployed') {
    await pauseCampaign(tx, { businessId, id: campaignId }, 'restored', now)
  }
  await doubtOpenMessages(tx, key, now)
  const doubted = await doubtOpenRecipients(tx, key, now)
  const counts = doubted.map((entry) => ({ ...entry, businessId, campaignId, metric: 'unknown' }))
  await addCounts(tx, counts)
  return doubted.reduce((sum, { amount }) => sum + amount, 0)
}

async function draftAgain(tx: Tx, { businessId, campaignId }: UnderWay, now: Date): Promise<void> {
  const campaign = await lockCampaign(tx, businessId, campaignId)
  if (!campaign) return
  await releaseAllowance(tx, businessId, campaign)
  await enterState(tx, businessId, { id: campaignId, state: 'draft' }, now)
  await dropOrder(tx, businessId, campaignId)
  await deleteFrozen(tx, { businessId, campaignId })
}

interface UnderWay extends RunKey {
  /** Whether its audience is frozen, with one row per recipient. */
  frozen: boolean
  state: 'deployed' | 'scheduled' | 'paused'
}

/** Campaigns that are deployed or paused, or whose scheduled time has passed. */
function findUnderWay(db: Db, now: Date): Promise<UnderWay[]> {
  return db.all(sql`
    select business_id as "businessId", id as "campaignId", state,
      frozen_at is not null as frozen
    from campaigns
    where state in ('deployed', 'paused') or (state = 'scheduled' and send_at <= ${now})
    order by business_id, id
  `)
}

interface Doubted {
  variant: number
  amount: number
}

/** Recipients who got it after the backup cannot be distinguished from those who did not. */
function doubtOpenRecipients(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  now: Date,
): Promise<Doubted[]> {
  return tx.all(sql`
    with doubted as (
      update campaign_recipients set state = 'unknown', reason = null, due_at = null,
        updated_at = ${now}
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and state in ('pending', 'taken')
      returning variant
    )
    select coalesce(variant, 0)::int as variant, count(*)::int as amount
    from doubted group by coalesce(variant, 0)
  `)
}

/** Ends their messages as well, so that a job that finds one has nothing to do. */
function doubtOpenMessages(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  now: Date,
): Promise<{ id: Id<'message'> }[]> {
  return tx.all(sql`
    update messages m set state = 'unknown', updated_at = ${now}
    from campaign_recipients r
    where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
      and m.business_id = ${businessId} and m.id = r.message_id
      and m.state in ('scheduled', 'queued', 'attempting', 'deferred')
    returning m.id
  `)
}

/** Deletes what an interrupted freeze had stored; the next deploy freezes the audience again. */
async function deleteFrozen(tx: Tx, { businessId, campaignId }: RunKey): Promise<void> {
  await tx.run(sql`
    delete from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
  await tx.run(sql`
    delete from campaign_counts where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
  await tx.run(sql`
    delete from campaign_runs where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}
