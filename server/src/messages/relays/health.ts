/**
 * Whether a relay works at this moment. One that does not is left out for a while, so that not every
 * message waits for it first; then a single message tries it again.
 */
import { later, seconds } from '../../lib/time/clock.ts'

export interface RelayHealth {
  /** Whether a message should try this relay before others. Of those that ask, one tries it. */
  mayTry(now: Date): boolean
  /** Whether it is left out at this moment. */
  isAway(now: Date): boolean
  worked(): void
  /** No connection could be opened. */
  unreachable(now: Date): void
  /** A connection was lost on the way. */
  broke(now: Date): void
}

/** How long a relay is left out. */
export const leftOutMs = seconds(30)
/** So many lost connections in a row leave it out; a single one may be due to the message. */
const lossesInARow = 3

export function createHealth(): RelayHealth {
  let losses = 0
  let awayUntil: Date | undefined
  const leaveOut = (now: Date) => {
    awayUntil = later(now, leftOutMs)
  }
  return {
    mayTry(now) {
      if (!awayUntil) return true
      if (now < awayUntil) return false
      leaveOut(now)
      return true
    },
    isAway: (now) => awayUntil !== undefined && now < awayUntil,
    worked() {
      losses = 0
      awayUntil = undefined
    },
    unreachable: leaveOut,
    broke(now) {
      losses++
      if (losses >= lossesInARow) leaveOut(now)
    },
  }
}
