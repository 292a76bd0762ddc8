/**
 * So many bytes a second under one name: whoever moved much waits until it has been worked off,
 * and those who wait go one after the other. What is small costs a look at a map.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createQueues } from './one-by-one.ts'

export interface Allowance {
  /** Runs the work at once, or when what was moved under this name before is worked off. */
  take<T>(name: string, work: () => Promise<T>, bytesOf: (result: T) => number): Promise<T>
}

export interface AllowanceRules {
  bytesPerSecond: number
  /** Less than this is not counted. */
  muchBytes: number
}

/** Names that are kept before those are dropped that owe nothing any more. */
const keptNames = 1_000

export function createAllowance(rules: AllowanceRules, now = () => performance.now()): Allowance {
  /** By name: the moment at which all that was moved is worked off. */
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
    // What went beside it may have been counted meanwhile.
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
