/** Paces long work that is done in steps: it rests between them while other work is going on. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /**
   * Called after a step: rests for as long as the step took if other work began since the last
   * one.
   */
  rest(): Promise<void>
}

/**
 * The longest rest in milliseconds. There is much other work, but the caller of the long work waits
 * for it to end, too.
 */
export const longestRest = 200

/** `begun` returns how many other pieces of work have begun so far. */
export function createPace(begun: () => number, now = () => performance.now()): Pace {
  let seen = begun()
  let from = now()
  return {
    async rest() {
      if (begun() !== seen) await sleep(Math.min(longestRest, now() - from))
      seen = begun()
      from = now()
    },
  }
}
