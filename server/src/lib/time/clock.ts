import { uptime } from 'node:os'

/** The only source of time for everything that decides, expires or is stored. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const seconds = (n: number): number => n * 1000
export const minutes = (n: number): number => n * 60_000
export const hours = (n: number): number => n * 3_600_000
export const days = (n: number): number => n * 86_400_000

export function later(from: Date, milliseconds: number): Date {
  return new Date(from.getTime() + milliseconds)
}

export interface ClockJump {
  /** By how much the clock is ahead of what it should show; negative if it is behind. */
  aheadMs: number
}

/** A clock that may know that it jumped; one that tests move on purpose does not. */
export interface WatchedClock extends Clock {
  jump?(): ClockJump | undefined
}

export interface SteadyClock extends WatchedClock {
  jump(): ClockJump | undefined
}

/** A correction by NTP is smaller, or a jump. */
const toleranceMs = seconds(5)
/**
 * A clock that was corrected by less than a day and has gone on evenly for so long is taken as right;
 * otherwise a pause of the machine would end all work until somebody looks. After a larger jump a
 * person decides, because a night's retention by a wrong date cannot be undone.
 */
const acceptAfterMs = minutes(15)
const acceptBelowMs = days(1)

/** Milliseconds since the machine started, including those in which it slept. */
const machineElapsed = (): number => uptime() * 1_000

/**
 * A clock that is watched against a monotonic one. When the system's clock jumps, `now` goes on from
 * the time before the jump, so that no lease and no due time is written by a clock that is wrong,
 * and `jump` tells of it until the clock is right again.
 */
export function createSteadyClock(
  clock: Clock,
  elapsed: () => number = machineElapsed,
): SteadyClock {
  let right = { at: clock.now().getTime(), elapsed: elapsed() }
  let jumped: { aheadMs: number; since: number } | undefined

  const now = (): Date => {
    const [at, passed] = [clock.now().getTime(), elapsed()]
    const expected = right.at + passed - right.elapsed
    const aheadMs = at - expected
    const isSame = jumped !== undefined && Math.abs(aheadMs - jumped.aheadMs) <= toleranceMs
    const isAccepted =
      isSame &&
      Math.abs(aheadMs) < acceptBelowMs &&
      passed - (jumped?.since ?? passed) >= acceptAfterMs
    if (Math.abs(aheadMs) <= toleranceMs || isAccepted) {
      // Followed step by step, since clocks are adjusted slowly all the time.
      right = { at, elapsed: passed }
      jumped = undefined
      return new Date(at)
    }
    if (!isSame) jumped = { aheadMs, since: passed }
    return new Date(expected)
  }

  return {
    now,
    jump() {
      now()
      return jumped && { aheadMs: Math.round(jumped.aheadMs) }
    },
  }
}
