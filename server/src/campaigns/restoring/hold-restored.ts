/**
 * After a restore nobody knows whom a campaign reached between the backup and the loss. It is
 * paused, and its open recipients become `unknown`: they get it only by `campaign.resend`, which a
 * person requests. A campaign without a frozen audience becomes a draft again.
 */

import { isRefusal } from '../../core/errors.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { addCounts } from '../results/counts.ts'
import { releaseAllowance } from '../sending/approval-allowance.ts'
import { dropOrder, enterState, lockCampaign } from '../sending/transition-queries.ts'
import { pauseCampaign } from '../sending/transitions.ts'
import {
  deleteFrozen,
  doubtOpenMessages,
  doubtOpenRecipients,
  findUnderWay,
  type UnderWay,
} from './restored-queries.ts'

export interface HeldCampaigns {
  /** Campaigns that were paused, with their open recipients set to unknown. */
  paused: number
  /** Campaigns that became drafts again, because the time they were ordered for has passed. */
  drafts: number
  recipientsInDoubt: number
}

export async function holdRestoredCampaigns(db: Database, now: Date): Promise<HeldCampaigns> {
  const held: HeldCampaigns = { paused: 0, drafts: 0, recipientsInDoubt: 0 }
  for (const one of await findUnderWay(db, now)) {
    if (one.frozen) {
      held.recipientsInDoubt += await db.tx((tx) => doubt(tx, one, now))
      held.paused++
    } else {
      await db.tx((tx) => draftAgain(tx, one, now))
      held.drafts++
    }
  }
  return held
}

async function doubt(tx: Tx, { state, ...key }: UnderWay, now: Date): Promise<number> {
  const { businessId, campaignId } = key
  if (state === 'deployed') {
    const paused = await pauseCampaign(tx, { businessId, id: campaignId }, 'restored', now)
    if (isRefusal(paused))
      throw new Error(`a deployed campaign that cannot be paused: ${paused.message}`)
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
