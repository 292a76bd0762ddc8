/** The place of a job. Lanes and shards are hashes, so that every node computes the same one. */
import { createHash } from 'node:crypto'
import type { Id } from '../text/uuid.ts'

/** More shards than there will be workers, and few enough that one worker can hold them all. */
export const shardCount = 256

export const everyShard: readonly number[] = Array.from({ length: shardCount }, (_, i) => i)

/** A lane by name. Two kinds never share a lane. */
export interface LaneName {
  kind: string
  lane?: string
  spread?: string
}

export interface Place {
  shard: number
  laneId: string
}

export function placeOf({ kind, lane = '', spread }: LaneName): Place {
  const laneHash = hash('lane', kind, lane)
  const shardHash = spread === undefined ? laneHash : hash('spread', kind, lane, spread)
  return { shard: shardHash[31] ?? 0, laneId: asUuid(laneHash) }
}

/** The id of the one job of a periodic kind. */
export function periodicId(kind: string): Id<'job'> {
  return asUuid(hash('periodic', kind)) as Id<'job'>
}

/** The id of the single job of this kind that the named thing can have at a time. */
export function jobIdOf(kind: string, name: string): Id<'job'> {
  return asUuid(hash('job', kind, name)) as Id<'job'>
}

function hash(...names: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(names)).digest()
}

/** A uuid of version 8 (RFC 9562, 5.8), made of a hash. */
function asUuid(bytes: Buffer): string {
  const hex = Buffer.from(bytes.subarray(0, 16))
  hex[6] = ((hex[6] ?? 0) & 0x0f) | 0x80
  hex[8] = ((hex[8] ?? 0) & 0x3f) | 0x80
  const text = hex.toString('hex')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}
