/**
 * A deployed campaign is sent in ticks: each looks at the outcomes so far, dispatches as many
 * recipients as may be sent to now, and sets the time of the next tick. The campaign's single job
 * is the only one that dispatches, so its limits hold however many workers send.
 */

import { emitAll } from '../../events/emit.ts'
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
import { heldEvent } from '../providers/held-event.ts'
import { holdProviders } from '../providers/hold.ts'
import { autoPauseOf } from './auto-pause.ts'
import { type CloseDeps, closeTick } from './close.ts'
import { dispatchRecipients } from './dispatch.ts'
import { nextHour } from './dispatch-queries.ts'
import { paceOf, perTick, untilNext } from './pace.ts'
import type { CampaignPayload } from './queue.ts'
import { keyOf, runInTick, type TickDeps } from './run-job.ts'
import { lockCampaign } from './transition-queries.ts'
import { completeCampaign, pauseCampaign } from './transitions.ts'

export interface RunDeps extends TickDeps, CloseDeps, Pick<PlanParties, 'canaryWaitMs'> {}

/** How often it ticks while messages are being sent, so that they never run out. */
const soon = 250
/**
 * How often it ticks while the last messages of the canary or the campaign are being sent, because
 * the next step waits for them.
 */
const sooner = 100
/** How often it ticks while all that is left was deferred by remote servers. */
const seldom = seconds(5)

export async function runTick(deps: RunDeps, job: Job<CampaignPayload>): Promise<Verdict> {
  const key = keyOf(job)
  return runInTick(deps, job, async (tx, now) => {
    const campaign = await lockRunning(tx, key)
    const run = campaign && (await findRun(tx, key))
    if (!campaign || campaign.state === 'paused') return { outcome: 'done' }
    if (campaign.state === 'cancelled') return closeTick(deps, tx, { key, run, now })
    // The freeze queues this job again when it is done.
    if (campaign.state !== 'deployed' || !campaign.frozenAt) return { outcome: 'done' }
    // A business without contacts has no run, and nothing to do.
    if (!run) return complete(tx, key, campaign, now)
    const reason = autoPauseOf(await countTally(tx, key), run.autoPauseFrom)
    if (reason) {
      await pauseCampaign(tx, { businessId: key.businessId, id: key.campaignId }, reason, now)
      return { outcome: 'done' }
    }
    for (const share of await holdProviders(tx, key, now)) {
      await emitAll(tx, [heldEvent(key, campaign, share)], now)
    }
    await decideTest(tx, key, { campaign, frozenAt: campaign.frozenAt, now })
    return tick(deps, tx, { key, campaign, run, now })
  })
}

interface TickState {
  key: RunKey
  campaign: RunningCampaign
  run: Run
  now: Date
}

/** Dispatches as many recipients as may be sent to now, and chooses the time of the next tick. */
async function tick(deps: RunDeps, tx: Tx, state: TickState): Promise<Outcome> {
  const { key, campaign, now } = state
  const { channel, throttlePerMinute: throttle } = campaign
  const { jobs } = await waitingOf(tx, { ...key, channel }, now)
  const run = afterCanary(deps, state, jobs)
  const pace = paceOf(run, { throttle, jobs, now })
  const room = waitsForCanary(run, now) ? 0 : pace.room
  const dispatched =
    room > 0 ? await dispatchRecipients(tx, key, { campaign, run, room, now }) : undefined
  const sent = (dispatched?.run.taken ?? run.taken) - run.taken
  const isAll = dispatched !== undefined && dispatched.looked < room
  const open = isAll ? await findOpen(tx, key, run.endedTo) : undefined
  if (isAll && !open) return complete(tx, key, campaign, now)
  const next: Run = {
    ...(dispatched?.run ?? run),
    endedTo: open?.id ?? run.endedTo,
    tokens: Math.max(0, pace.tokens - sent),
    pacedAt: now,
  }
  await saveRun(tx, key, next, now)
  if (isAll && jobs === 0 && sent === 0) {
    return { outcome: 'again', at: await nextHourOr(tx, key, now) }
  }
  // The room was used up, and the throttle did not limit it: the next tick follows at once.
  const isFull = dispatched !== undefined && !isAll && (throttle === null || room === perTick)
  return { outcome: 'again', at: isFull ? now : later(now, waitMs(pace.tokens, throttle, jobs)) }
}

/** How long until the next tick while there are recipients or messages left. */
function waitMs(tokens: number, throttle: number | null, jobs: number): number {
  if (throttle === null) return jobs <= 1 ? sooner : soon
  return tokens < 1 ? Math.min(seldom, Math.max(soon, untilNext(tokens, throttle))) : soon
}

/** The canary's messages have all been tried: the wait of the others starts now. */
function afterCanary({ canaryWaitMs }: RunDeps, { run, now }: TickState, jobs: number): Run {
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

/** Completes the campaign once its rows show that no recipient is open. */
async function complete(
  tx: Tx,
  key: RunKey,
  { state }: RunningCampaign,
  now: Date,
): Promise<Outcome> {
  // The campaign as it is after this tick's own statements.
  const campaign = await lockCampaign(tx, key.businessId, key.campaignId)
  if (campaign) await completeCampaign(tx, { ...campaign, state }, key.businessId, now)
  return { outcome: 'done' }
}
