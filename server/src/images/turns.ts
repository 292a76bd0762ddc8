/** One picture of a business at a time, and no long queue of them: each is held in memory. */

import { type Refusal, refuse } from '../core/errors.ts'
import { createQueues } from '../lib/concurrency/one-by-one.ts'

export interface Turns {
  take<T>(businessId: string, work: () => Promise<T>): Promise<T | Refusal>
}

export function createTurns({ each, all }: { each: number; all: number }): Turns {
  const businesses = createQueues()
  const waiting = new Map<string, number>()
  let total = 0
  return {
    async take(businessId, work) {
      const own = waiting.get(businessId) ?? 0
      if (own >= each || total >= all) {
        const text = 'Other pictures are being uploaded just now: send this one in a few seconds.'
        return refuse('rate_limited', text, { retryAfter: 3 })
      }
      waiting.set(businessId, own + 1)
      total++
      try {
        return await businesses.take(businessId, work)
      } finally {
        total--
        const left = (waiting.get(businessId) ?? 1) - 1
        if (left > 0) waiting.set(businessId, left)
        else waiting.delete(businessId)
      }
    },
  }
}
