/**
 * So much time a minute for each of many: all of it at once, or evenly. In memory and of this
 * process alone, as the thread is whose time it is.
 */

import { setNewest } from '../concurrency/set-newest.ts'
import { minutes } from '../time/clock.ts'

export interface TimeBudget {
  spend(name: string, ms: number): void
  /** Whole seconds until there is some left; 0 where there is. */
  secondsUntilLeft(name: string): number
}

interface Spent {
  /** What is not made up for yet, as of `at`. */
  ms: number
  at: number
}

/** Who was over it goes on once so much is left, rather than for one question at a time. */
const worthwhileMs = 1_000
/** Names that are remembered; whoever is forgotten has a whole budget again. */
const mostNames = 10_000

/** `nowMs` is any clock that only goes forward. */
export function createTimeBudget(
  msPerMinute: number,
  nowMs: () => number = () => performance.now(),
): TimeBudget {
  const perMs = msPerMinute / minutes(1)
  const worthMs = Math.min(worthwhileMs, msPerMinute)
  const spent = new Map<string, Spent>()
  /** Those who wait until what is left is worthwhile. */
  const over = new Set<string>()

  const spentBy = (name: string): number => {
    const one = spent.get(name)
    return one ? Math.max(0, one.ms - (nowMs() - one.at) * perMs) : 0
  }

  return {
    spend(name, ms) {
      const before = spentBy(name)
      if (before <= msPerMinute - worthMs) over.delete(name)
      const sum = before + ms
      setNewest(spent, [name, { ms: sum, at: nowMs() }], mostNames)
      if (sum >= msPerMinute) over.add(name)
    },
    secondsUntilLeft(name) {
      if (!over.has(name)) return 0
      const missing = spentBy(name) - (msPerMinute - worthMs)
      if (missing > 0) return Math.ceil(missing / perMs / 1_000)
      over.delete(name)
      return 0
    },
  }
}
