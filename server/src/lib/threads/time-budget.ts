/**
 * A budget of milliseconds per minute for each of many names, to use all at once or evenly. It is
 * in memory and only of this process, like the thread whose time it limits.
 */

import { setNewest } from '../concurrency/set-newest.ts'
import { minutes } from '../time/clock.ts'

export interface TimeBudget {
  spend(name: string, ms: number): void
  /** Whole seconds until there is time left; 0 where there is. */
  secondsUntilLeft(name: string): number
}

interface Spent {
  /** The spent time that has not been replenished yet, as of `at`. */
  ms: number
  at: number
}

/** A name over its budget continues once this much is left, rather than question by question. */
const worthwhileMs = 1_000
/** The most names that are remembered. A name that is dropped has a whole budget again. */
const mostNames = 10_000

/** `nowMs` is any clock that only moves forward. */
export function createTimeBudget(
  msPerMinute: number,
  nowMs: () => number = () => performance.now(),
): TimeBudget {
  const perMs = msPerMinute / minutes(1)
  const worthMs = Math.min(worthwhileMs, msPerMinute)
  const spent = new Map<string, Spent>()
  /** Names that wait until enough time is left. */
  const over = new Set<string>()

  const spentBy = (name: string): number => {
    const entry = spent.get(name)
    return entry ? Math.max(0, entry.ms - (nowMs() - entry.at) * perMs) : 0
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
