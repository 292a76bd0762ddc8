/**
 * A rate limit in bytes per second and name: whoever moved much waits until that has been worked
 * off, and waiting callers run one after the other. Small amounts cost only a look at a map.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createQueues } from './one-by-one.ts'

export interface Allowance {
  /** Runs the work at once, or when what was moved under this name before is worked off. */
  take<T>(name: string, work: () => Promise<T>, bytesOf: (result: T) => number): Promise<T>
}

export interface AllowanceRules {
  bytesPerSecond: number
  /** Smaller amounts are not counted. */
  muchBytes: number
}

/** The number of names above which those without debt are dropped. */
const keptNames = 1_000

export function createAllowance(rules: AllowanceRules, now = () => performance.now()): Allowance {
  /** By name: the time at which everything moved so far is worked off. */
  const clearAt = new Map<string, number>()
  const queues = createQueues()

  const owed = (name: string): number => (clearAt.get(name) ?? 0) - now()

  const count = (name: string, bytes: number): void => {
    if (bytes < rules.muchBytes) return
    if (clearAt.size >= keptNames) {
      for (const [known, at] of clearAt) if (at <= now()) clearAt.delete(known)
    }
    const from = Math.max(now(), clearAt.get(name) ?? 0)
    clearAt.set(name, from + (bytes / rules.bytesPerSecond) * 1_000)
  }

  const untilClear = async (name: string): Promise<void> => {
    // Work beside it may have been counted meanwhile.
    for (let wait = owed(name); wait > 0; wait = owed(name)) await sleep(Math.ceil(wait))
    clearAt.delete(name)
  }

  return {
    async take(name, work, bytesOf) {
      const counted = async () => {
        const result = await work()
        count(name, bytesOf(result))
        return result
      }
      if (!clearAt.has(name)) return counted()
      return queues.take(name, async () => {
        await untilClear(name)
        return counted()
      })
    },
  }
}
