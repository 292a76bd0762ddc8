/** The effects of a campaign's change of state on the sending, in the same transaction. */

import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import {
  type CampaignKey,
  holdCampaign,
  releaseCampaign,
  stopCampaign,
} from '../../messages/delivery/holds.ts'
import { countTally, saveAutoPauseFrom } from '../model/run-queries.ts'
import { judgeFromNow } from '../providers/hold.ts'
import { runJob } from './run-job.ts'

/** Pauses the sending: nothing more is sent after this transaction commits. */
export async function pauseRun(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await holdCampaign(tx, campaign, now)
}

/** A person has seen why it paused, so the automatic pause and the holds of providers count anew. */
export async function resumeRun(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await releaseCampaign(tx, campaign, now)
  await saveAutoPauseFrom(tx, campaign, await countTally(tx, campaign), now)
  await judgeFromNow(tx, campaign, now)
  await enqueue(tx, [runJob(campaign, now)], now)
}

export async function cancelRun(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await stopCampaign(tx, campaign, now)
  await enqueue(tx, [runJob(campaign, now)], now)
}
