/**
 * The lanes that one worker believes to have jobs due, in the order of their turns:
 * by priority, then first come, first served. It is a hint and no truth: what is not
 * in it, a look at the database finds.
 */
import type { Place } from './shard.ts'

export interface WaitingLane extends Place {
  priority: number
  /** Jobs in flight at once, where it was just read. */
  capacity?: number
  /** Came from a look at the database; `found` counts those. */
  found?: boolean
}

/** `wait`: it keeps its place, since it has all it may have in flight. */
export type Fate = 'take' | 'wait' | 'drop'

export interface LaneQueue {
  readonly size: number
  /** Lanes that a look found and that have not had their turn since. */
  readonly found: number
  /** False where the queue is full; a lane that is in it keeps its place. */
  add(lane: WaitingLane): boolean
  /** The next lanes, at most `limit`. */
  take(limit: number, fate: (lane: WaitingLane) => Fate): WaitingLane[]
}

/** About a megabyte; a look brings the others when these are done. */
const maxLanes = 4096

export function createLaneQueue(): LaneQueue {
  const byPriority = new Map<number, Map<string, WaitingLane>>()
  let size = 0
  let found = 0

  return {
    get size() {
      return size
    },
    get found() {
      return found
    },
    add(lane) {
      const key = `${lane.shard} ${lane.laneId}`
      const lanes = byPriority.get(lane.priority) ?? new Map<string, WaitingLane>()
      const known = lanes.get(key)
      if (!known && size >= maxLanes) return false
      byPriority.set(lane.priority, lanes.set(key, { ...known, ...lane }))
      if (!known) size++
      if (lane.found && !known?.found) found++
      return true
    },
    take(limit, fate) {
      const taken: WaitingLane[] = []
      for (const priority of [...byPriority.keys()].sort((a, b) => a - b)) {
        for (const [key, lane] of byPriority.get(priority) ?? []) {
          if (taken.length >= limit) return taken
          const its = fate(lane)
          if (its === 'wait') continue
          byPriority.get(priority)?.delete(key)
          size--
          if (lane.found) found--
          if (its === 'take') taken.push(lane)
        }
      }
      return taken
    },
  }
}
