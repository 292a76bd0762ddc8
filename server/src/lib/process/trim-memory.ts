/**
 * Gives memory back when a load is over. V8 looks for what it can give back some seconds after
 * a collection, and at times not at all: of 160 MB after a million calls, 120 to 160 were left.
 * A collection of our own while nobody calls makes it 130 each time, for 130 to 230 ms in which
 * a call waits; so there is one in half a minute at most.
 */
import { seconds } from '../time/clock.ts'
import { collectAll } from './collect.ts'
import type { Log } from './log.ts'

export interface MemoryTrimmerParts {
  collect: () => void
  /** Microseconds of processor that the process has taken. */
  processor: () => number
}

const everyMs = seconds(2)
/** Looks from one collection to the next at least. */
const apart = 15
/** Shares of a core: a load takes more than the one, a rest less than the other. */
const loaded = 0.2
const resting = 0.1

/** To be called every two seconds; collects once a load is over, and says so. */
export function createMemoryTrimmer({ collect, processor }: MemoryTrimmerParts): () => boolean {
  let last = processor()
  let owed = false
  let looks = apart
  return () => {
    looks++
    const now = processor()
    const share = (now - last) / (everyMs * 1000)
    last = now
    if (share > loaded) owed = true
    if (!owed || share > resting || looks <= apart) return false
    owed = false
    looks = 0
    collect()
    // What the collection took is no load.
    last = processor()
    return true
  }
}

export function keepGivingBack(log: Log): { stop(): void } {
  const processor = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  const look = createMemoryTrimmer({ collect: collectAll, processor })
  const timer = setInterval(() => {
    if (look()) log.debug({ rss: process.memoryUsage.rss() }, 'memory.given_back')
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
