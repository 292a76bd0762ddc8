/**
 * The lanes that one worker believes to have due jobs, in the order of their turns: by priority,
 * then first come, first served. It is only a hint, since a look at the database finds the lanes
 * that are missing here.
 */
import type { Place } from './job.ts'

export interface WaitingLane extends Place {
  priority: number
  /** The limit of jobs in flight, where it is known from a recent read. */
  capacity?: number
  /** Whether the lane comes from a look at the database; `found` counts such lanes. */
  found?: boolean
}

/** `wait`: the lane keeps its place, because it has as many jobs in flight as allowed. */
export type LaneDecision = 'take' | 'wait' | 'drop'

export interface LaneQueue {
  readonly size: number
  /** The number of lanes that a look found and whose turn has not come since. */
  readonly found: number
  /** Returns false where the queue is full. A lane that is already queued keeps its place. */
  add(lane: WaitingLane): boolean
  /** The next lanes, at most `limit`. */
  take(limit: number, fate: (lane: WaitingLane) => LaneDecision): WaitingLane[]
}

/** About a megabyte. Another look finds the remaining lanes later. */
const maxLanes = 4096

export function createLaneQueue(): LaneQueue {
  const byPriority = new Map<number, Map<string, WaitingLane>>()
  let size = 0
  let count = 0

  return {
    get size() {
      return size
    },
    get found() {
      return count
    },
    add(lane) {
      const key = `${lane.shard} ${lane.laneId}`
      const lanes = byPriority.get(lane.priority) ?? new Map<string, WaitingLane>()
      const cached = lanes.get(key)
      if (!cached && size >= maxLanes) return false
      byPriority.set(lane.priority, lanes.set(key, { ...cached, ...lane }))
      if (!cached) size++
      if (lane.found && !cached?.found) count++
      return true
    },
    take(limit, fate) {
      const lanes: WaitingLane[] = []
      for (const priority of [...byPriority.keys()].sort((a, b) => a - b)) {
        for (const [key, lane] of byPriority.get(priority) ?? []) {
          if (lanes.length >= limit) return lanes
          const its = fate(lane)
          if (its === 'wait') continue
          byPriority.get(priority)?.delete(key)
          size--
          if (lane.found) count--
          if (its === 'take') lanes.push(lane)
        }
      }
      return lanes
    },
  }
}
