/**
 * A campaign that is deployed goes on by turns: each looks at what came back, takes as many
 * recipients as may go now, and says when it is to look again. As the one job of its
 * campaign is the only one that takes, what it keeps to holds however many workers send.
 */

import type { Tx } from '../../lib/db/types.ts'
import type { Job, Outcome, Verdict } from '../../lib/jobs/job.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { waitingOf } from '../../messages/delivery/holds.ts'
import { decideTest } from '../ab-test/pick-winner.ts'
import {
  countTally,
  findOpen,
  findRun,
  lockRunning,
  type Run,
  type RunKey,
  type RunningCampaign,
  saveRun,
} from '../model/run-queries.ts'
import type { PlanParties } from '../preflight/dependencies.ts'
import { releaseAllowance } from './approval-allowance.ts'
import { autoPauseOf } from './auto-pause.ts'
import { type CloseDeps, closeTurn } from './close.ts'
import { take } from './dispatch.ts'
import { nextHour } from './dispatch-queries.ts'
import { paceOf, perTurn, untilNext } from './pace.ts'
import type { CampaignPayload } from './queue.ts'
import { keyOf, type TurnDeps, turnOf } from './run-job.ts'
import { enterState, lockCampaign } from './transition-queries.ts'
import { pauseCampaign } from './transitions.ts'

export interface RunDeps extends TurnDeps, CloseDeps, Pick<PlanParties, 'canaryWaitMs'> {}

/** While messages are on their way it looks this often, so that they never run out. */
const soon = 250
/** While the canary's last messages are, or the campaign's: what comes next waits for their end. */
const sooner = 100
/** While all that is left was put off by the remote server. */
const seldom = seconds(5)

export async function runTurn(deps: RunDeps, job: Job<CampaignPayload>): Promise<Verdict> {
  const key = keyOf(job)
  return turnOf(deps, job, async (tx, now) => {
    const campaign = await lockRunning(tx, key)
    const run = campaign && (await findRun(tx, key))
    if (!campaign || campaign.state === 'paused') return { outcome: 'done' }
    if (campaign.state === 'cancelled') return closeTurn(deps, tx, { key, run, now })
    // What freezes the audience queues this job again.
    if (campaign.state !== 'deployed' || !campaign.frozenAt) return { outcome: 'done' }
    // Of a business without a contact there is no run, and nothing to do.
    if (!run) return complete(tx, key, campaign, now)
    const reason = autoPauseOf(await countTally(tx, key), run.autoPauseFrom)
    if (reason) {
      await pauseCampaign(tx, { businessId: key.businessId, id: key.campaignId }, reason, now)
      return { outcome: 'done' }
    }
    await decideTest(tx, key, { campaign, frozenAt: campaign.frozenAt, now })
    return goOn(deps, tx, { key, campaign, run, now })
  })
}

interface Turn {
  key: RunKey
  campaign: RunningCampaign
  run: Run
  now: Date
}

async function goOn(deps: RunDeps, tx: Tx, turn: Turn): Promise<Outcome> {
  const { key, campaign, now } = turn
  const { channel, throttlePerMinute: throttle } = campaign
  const { jobs } = await waitingOf(tx, { ...key, channel }, now)
  const run = afterCanary(deps, turn, jobs)
  const { room, tokens } = paceOf(run, { throttle, jobs, now })
  const may = waitsForCanary(run, now) ? 0 : room
  const taken = may > 0 ? await take(tx, key, { campaign, run, room: may, now }) : undefined
  const used = (taken?.run.taken ?? run.taken) - run.taken
  const isAll = taken !== undefined && taken.looked < may
  const open = isAll ? await findOpen(tx, key, run.endedTo) : undefined
  if (isAll && !open) return complete(tx, key, campaign, now)
  const next: Run = {
    ...(taken?.run ?? run),
    endedTo: open?.id ?? run.endedTo,
    tokens: Math.max(0, tokens - used),
    pacedAt: now,
  }
  await saveRun(tx, key, next, now)
  if (taken && !isAll && (throttle === null || may === perTurn))
    return { outcome: 'again', at: now }
  if (isAll && jobs === 0 && used === 0)
    return { outcome: 'again', at: await nextHourOr(tx, key, now) }
  const wait = throttle !== null && tokens < 1 ? untilNext(tokens, throttle) : 0
  const least = throttle === null && jobs <= 1 ? sooner : soon
  return { outcome: 'again', at: later(now, Math.min(seldom, Math.max(least, wait))) }
}

/** Those who go first have all been tried: the others wait from now. */
function afterCanary({ canaryWaitMs }: RunDeps, { run, now }: Turn, jobs: number): Run {
  const { canary, taken, canaryUntil } = run
  if (canary === 0 || taken < canary || canaryUntil !== null || jobs > 0) return run
  return { ...run, canaryUntil: later(now, canaryWaitMs) }
}

function waitsForCanary({ canary, taken, canaryUntil }: Run, now: Date): boolean {
  return canary > 0 && taken >= canary && (canaryUntil === null || canaryUntil > now)
}

async function nextHourOr(tx: Tx, key: RunKey, now: Date): Promise<Date> {
  const hour = (await nextHour(tx, key))?.at
  const at = later(now, seldom)
  return hour && hour < at ? hour : at
}

/** By rows alone: there is none that is open. */
async function complete(
  tx: Tx,
  key: RunKey,
  { state }: RunningCampaign,
  now: Date,
): Promise<Outcome> {
  // As it stands after this turn's own messages.
  const campaign = await lockCampaign(tx, key.businessId, key.campaignId)
  if (campaign) await releaseAllowance(tx, key.businessId, { ...campaign, state })
  await enterState(tx, key.businessId, { id: key.campaignId, state: 'completed' }, now)
  return { outcome: 'done' }
}
