/** Holds up the reading of further rows while the rows before them are being prepared. */

import { setImmediate as turnOfLoop } from 'node:timers/promises'

export interface Pause {
  /** Lasts until `work` has ended. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves in a later turn of the loop, and not during a pause. */
  pass(): Promise<void>
}

export function createPause(): Pause {
  let ended: Promise<void> | undefined
  return {
    async during(work) {
      const own = Promise.withResolvers<void>()
      ended = own.promise
      try {
        return await work()
      } finally {
        ended = undefined
        own.resolve()
      }
    },
    async pass() {
      await turnOfLoop()
      while (ended) await ended
    },
  }
}
