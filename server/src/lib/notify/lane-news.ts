/** News of lanes as the payload of a notification, which PostgreSQL limits to 7,999 bytes. */
import type { LaneNews } from '../jobs/enqueue.ts'
import { shardCount } from '../jobs/job.ts'

/** The most lanes of one payload. Each takes at most 64 bytes. */
export const lanesOfPayload = 120

export function payloadOf(news: readonly LaneNews[]): string {
  return JSON.stringify(
    news.map(({ shard, laneId, priority, dueAt }) => [shard, laneId, priority, dueAt.getTime()]),
  )
}

/** Empty where another version wrote the payload. It is only a hint, and a look finds the jobs. */
export function newsIn(payload: string): LaneNews[] {
  let lanes: unknown
  try {
    lanes = JSON.parse(payload)
  } catch {
    return []
  }
  return Array.isArray(lanes) ? lanes.flatMap(readLane) : []
}

function readLane(lane: unknown): LaneNews[] {
  if (!Array.isArray(lane)) return []
  const [shard, laneId, priority, due] = lane as unknown[]
  const isPlace = isWhole(shard) && shard < shardCount && isId(laneId)
  if (!isPlace || !isWhole(priority) || !isWhole(due)) return []
  const dueAt = new Date(due)
  return Number.isNaN(dueAt.getTime()) ? [] : [{ shard, laneId, priority, dueAt }]
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value)
}
