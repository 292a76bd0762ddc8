/** Long work done in steps, with rests between them while others are at work, too. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /** After a step: rests as long as it took where others began something since the last one. */
  rest(): Promise<void>
}

/** Milliseconds: others are many, and whoever does the long work waits for its end, too. */
export const longestRest = 200

/** `begun` counts what others have begun so far. */
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
