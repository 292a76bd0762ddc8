/** How many recipients a turn may take. Pure. */
import type { Run } from '../model/run-queries.ts'

/** Recipients that one turn takes at most. */
export const perTurn = 1_000
/** Messages of one job. */
const perJob = 200
/** Jobs that wait ahead of the sending: some seconds' worth, and all that a pause must hold. */
const jobsAhead = 15

/** Seconds of the throttle that may be saved up. */
const savedUp = 2

export interface Pace {
  /** Whole recipients that may be taken now. */
  room: number
  /** The throttle's account after the time that passed; nothing is taken from it yet. */
  tokens: number
}

export function paceOf(
  run: Pick<Run, 'tokens' | 'pacedAt' | 'canary' | 'taken'>,
  { throttle, jobs, now }: { throttle: number | null; jobs: number; now: Date },
): Pace {
  const ahead = Math.max(0, jobsAhead - jobs) * perJob
  const first = run.taken < run.canary ? run.canary - run.taken : Number.POSITIVE_INFINITY
  const room = Math.min(perTurn, ahead, first)
  if (throttle === null) return { room, tokens: 0 }
  const aSecond = throttle / 60
  const passed = Math.max(0, now.getTime() - run.pacedAt.getTime()) / 1000
  const tokens = Math.min(run.tokens + passed * aSecond, Math.max(1, aSecond * savedUp))
  return { room: Math.min(room, Math.floor(tokens)), tokens }
}

/** Milliseconds until the throttle lets another one go. */
export function untilNext(tokens: number, throttle: number): number {
  return Math.ceil(((1 - Math.min(1, tokens)) * 60_000) / throttle)
}
