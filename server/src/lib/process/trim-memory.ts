/**
 * Releases memory after a load. V8 looks for memory to release some seconds after a collection, and
 * sometimes not at all: of 160 MB after a million calls, 120 to 160 remained. Our own collection
 * while there are no calls always reduces it to 130, at the cost of 130 to 230 ms in which a call
 * waits. So there is at most one in half a minute.
 */
import { seconds } from '../time/clock.ts'
import { collectAll } from './collect.ts'
import type { Log } from './log.ts'

export interface MemoryTrimmerParts {
  collect: () => void
  /** Microseconds of processor time that the process has used. */
  processor: () => number
}

const everyMs = seconds(2)
/** The least number of checks between two collections. */
const apart = 15
/** Shares of a core: a load uses more than `loaded`, and a rest uses less than `resting`. */
const loaded = 0.2
const resting = 0.1

/** Call it every two seconds. Collects once a load is over, and returns whether it did. */
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
    // The collection's own processor time is not a load.
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
