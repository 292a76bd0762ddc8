/**
 * Whether a relay works at this moment. One that does not is left out for a while, so that not every
 * message waits for it first; then a single message tries it again.
 */
import { later, seconds } from '../../lib/time/clock.ts'

export interface RelayHealth {
  /** Whether a message should try this relay before others. Of those that ask, one tries it. */
  mayTry(now: Date): boolean
  /** Whether it failed a short while ago and has taken nothing since. */
  isAway(now: Date): boolean
  worked(): void
  /** No connection could be opened. */
  unreachable(now: Date, code: string): void
  /** A connection was lost on the way. */
  broke(now: Date): void
}

/** Hears when a relay stops working and when it works again, once each. */
export interface HealthReport {
  away(code: string): void
  back(): void
}

/** How long a relay is left out. */
export const leftOutMs = seconds(30)
/**
 * How long a failure counts as an outage. Longer than mail waits between two attempts, so that an outage is
 * told without a gap, and short enough to end where no mail is due that could show that it is over.
 */
export const awayMs = seconds(300)
/** So many lost connections in a row leave it out; a single one may be due to the message. */
const lossesInARow = 3

export function createHealth(report?: HealthReport): RelayHealth {
  let losses = 0
  let leftOutUntil: Date | undefined
  let failedAt: Date | undefined
  const leaveOut = (now: Date) => {
    leftOutUntil = later(now, leftOutMs)
  }
  const fail = (now: Date, code: string) => {
    if (!failedAt) report?.away(code)
    failedAt = now
    leaveOut(now)
  }
  return {
    mayTry(now) {
      if (!leftOutUntil) return true
      if (now < leftOutUntil) return false
      leaveOut(now)
      return true
    },
    isAway: (now) => failedAt !== undefined && now < later(failedAt, awayMs),
    worked() {
      if (failedAt) report?.back()
      losses = 0
      leftOutUntil = undefined
      failedAt = undefined
    },
    unreachable: fail,
    broke(now) {
      losses++
      if (losses >= lossesInARow) fail(now, 'ELOST')
    },
  }
}
