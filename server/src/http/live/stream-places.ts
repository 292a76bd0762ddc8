import type { Caller } from '../operation-entry.ts'

/**
 * Counts streams by owner: a connection with all of its tokens, or a person with all of their
 * pages.
 */
export function streamPlaces({ most, lifeMs }: { most: number; lifeMs: number }) {
  const endsByHolder = new Map<string, Set<number>>()
  return {
    /** Reserves a stream, or returns the seconds until one of those in use ends by itself. */
    take({ principal }: Caller): { leave(): void } | number {
      const holder = principal.connectionId ?? principal.userId
      const ends = endsByHolder.get(holder) ?? new Set<number>()
      if (ends.size >= most) {
        const [soonest = 0] = [...ends].sort((a, b) => a - b)
        return Math.max(1, Math.ceil((soonest - performance.now()) / 1000))
      }
      let end = performance.now() + lifeMs
      while (ends.has(end)) end += 0.001
      endsByHolder.set(holder, ends.add(end))
      return {
        leave() {
          ends.delete(end)
          if (ends.size === 0 && endsByHolder.get(holder) === ends) endsByHolder.delete(holder)
        },
      }
    },
  }
}
