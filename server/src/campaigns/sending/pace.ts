/** How many recipients a tick may dispatch, how many the canary has, and when the last one is due. Pure. */

import { later, minutes } from '../../lib/time/clock.ts'
import type { Run } from '../campaign-run.ts'

/** The most recipients that one tick dispatches. */
export const perTick = 1_000
/** Messages per job. */
const perJob = 200
/**
 * Jobs that may wait ahead of the sending: some seconds' worth, which is all that a pause has to
 * hold back.
 */
const jobsAhead = 15

/** For how many seconds unused throttle accumulates. */
const savedUp = 2

interface Pace {
  /** Whole recipients that may be dispatched now. */
  room: number
  /** The throttle's tokens now; nothing is subtracted yet. */
  tokens: number
}

export function paceOf(
  run: Pick<Run, 'tokens' | 'pacedAt' | 'canary' | 'dispatched'>,
  { throttle, jobs, now }: { throttle: number | null; jobs: number; now: Date },
): Pace {
  const ahead = Math.max(0, jobsAhead - jobs) * perJob
  const first = run.dispatched < run.canary ? run.canary - run.dispatched : Number.POSITIVE_INFINITY
  const room = Math.min(perTick, ahead, first)
  if (throttle === null) return { room, tokens: 0 }
  const aSecond = throttle / 60
  const passed = Math.max(0, now.getTime() - run.pacedAt.getTime()) / 1000
  const tokens = Math.min(run.tokens + passed * aSecond, Math.max(1, aSecond * savedUp))
  return { room: Math.min(room, Math.floor(tokens)), tokens }
}

/** Milliseconds until the throttle allows another recipient. */
export function untilNext(tokens: number, throttle: number): number {
  return Math.ceil(((1 - Math.min(1, tokens)) * 60_000) / throttle)
}

const share = 0.02

/** The number of canary recipients; 0 for a small campaign. */
export function canaryOf(recipients: number): number {
  return recipients > canaryFrom ? Math.ceil(recipients * share) : 0
}

/** The number of recipients above which a campaign starts with a canary. */
const canaryFrom = 1_000

interface SendingPace {
  perMinute: number | null
  /** Milliseconds for which the rest wait for the canary. */
  canaryWaitMs: number
}

/** When the last message is sent at this throttle; null without a throttle. */
export function finishOf(
  recipients: number,
  { perMinute, canaryWaitMs }: SendingPace,
  from: Date,
): Date | null {
  if (perMinute === null) return null
  const wait = recipients > canaryFrom ? canaryWaitMs : 0
  return later(from, wait + Math.ceil((recipients / perMinute) * minutes(1)))
}
