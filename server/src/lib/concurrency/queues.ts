/** Work that waits for its turn by name: one after the other, or within a rate of bytes. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Queues by name: work under one name runs one after the other, or a fixed number at once. Callers
 * that repeat a running call wait here, where waiting costs a promise, rather than in the
 * database, where it costs a connection that others need.
 */
export interface NamedQueues {
  take<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function createQueues(atOnce = 1): NamedQueues {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return {
    async take(name, work) {
      const queue = queues.get(name) ?? { running: 0, waiting: [] }
      queues.set(name, queue)
      if (queue.running < atOnce) queue.running++
      else await new Promise<void>((turn) => queue.waiting.push(turn))
      try {
        return await work()
      } finally {
        const next = queue.waiting.shift()
        if (next) next()
        else queue.running--
        if (queue.running === 0) queues.delete(name)
      }
    },
  }
}

/**
 * A rate limit in bytes per second and name. A caller that has moved many bytes waits until they
 * are worked off; waiting callers run one after the other. Small amounts cost a map lookup.
 */
export interface Allowance {
  /** Runs the work at once, or as soon as the bytes moved under this name are worked off. */
  take<T>(name: string, work: () => Promise<T>, bytesOf: (result: T) => number): Promise<T>
}

export interface AllowanceRules {
  bytesPerSecond: number
  /** Amounts smaller than this are not counted. */
  muchBytes: number
}

/** The number of names above which those without debt are dropped. */
const keptNames = 1_000

export function createAllowance(rules: AllowanceRules, now = () => performance.now()): Allowance {
  /** By name: the time at which all bytes moved so far are worked off. */
  const clearAt = new Map<string, number>()
  const queues = createQueues()

  const owed = (name: string): number => (clearAt.get(name) ?? 0) - now()

  const count = (name: string, bytes: number): void => {
    if (bytes < rules.muchBytes) return
    if (clearAt.size >= keptNames) {
      for (const [cleared, at] of clearAt) if (at <= now()) clearAt.delete(cleared)
    }
    const from = Math.max(now(), clearAt.get(name) ?? 0)
    clearAt.set(name, from + (bytes / rules.bytesPerSecond) * 1_000)
  }

  const untilClear = async (name: string): Promise<void> => {
    // Other work under this name may have been counted during the wait.
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
