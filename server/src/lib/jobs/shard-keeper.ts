/**
 * Decides which shards this worker serves. Each worker takes its share of the 256, releases the
 * surplus when another worker starts, and takes over the shards of a worker that is gone.
 */

import { randomUUID } from 'node:crypto'
import type { Db } from '../db/types.ts'
import { type Clock, hours, later } from '../time/clock.ts'
import type { LeaseTimes } from './job.ts'
import { everyShard, shardCount } from './shard.ts'
import {
  announceWorker,
  freeFromFuture,
  releaseShards,
  removeWorker,
  renewShards,
  takeShards,
} from './shard-queries.ts'

export interface ShardKeeper {
  /** The shards to claim from now; empty where the lease could not be renewed in time. */
  shards(): readonly number[]
  /** The time at which `tend` is due again. */
  readonly dueAt: Date
  /** Renews, releases and takes shards. Shards in `busy` have running jobs and stay held. */
  tend(busy: ReadonlySet<number>): Promise<void>
  release(): Promise<void>
  /** Frees what a clock that was ahead has leased for times that no lease can reach. */
  freeFromFuture(): Promise<void>
}

// Renewed so often that a few failures do not cost the lease.
const renewalsPerLease = 5
/** A node whose clock is off by a minute does not start; an hour is of no clock that may be right. */
const longestErrorMs = hours(1)

export function createShardKeeper(db: Db, clock: Clock, times: LeaseTimes): ShardKeeper {
  const worker = randomUUID()
  const { shardLeaseMs, skewAllowanceMs } = times
  let claimable: number[] = []
  let expiresAt = clock.now()
  let dueAt = expiresAt

  return {
    shards: () => (clock.now() < expiresAt ? claimable : []),
    get dueAt() {
      return dueAt
    },
    async tend(busy) {
      const now = clock.now()
      const until = later(now, shardLeaseMs)
      const deadBefore = later(now, -skewAllowanceMs)
      const workers = await announceWorker(db, worker, until, deadBefore)
      const share = Math.ceil(shardCount / workers)
      const ownShards = await renewShards(db, worker, until)

      // Idle shards are released first. A busy surplus shard is no longer claimed from, so that it
      // becomes idle and is released the next time. Two holders never work in one shard.
      const shards = ownShards.toSorted((a, b) => Number(busy.has(b)) - Number(busy.has(a)))
      const surplus = shards.splice(share)
      const idle = surplus.filter((shard) => !busy.has(shard))
      if (idle.length > 0) await releaseShards(db, worker, idle)
      if (ownShards.length < share) {
        shards.push(...(await takeShards(db, worker, share - ownShards.length, until, deadBefore)))
      }
      claimable = shards
      expiresAt = until
      dueAt = later(now, shardLeaseMs / renewalsPerLease)
    },
    freeFromFuture() {
      const now = clock.now()
      return freeFromFuture(db, now, later(now, shardLeaseMs + longestErrorMs))
    },
    async release() {
      claimable = []
      await releaseShards(db, worker, everyShard)
      await removeWorker(db, worker)
    },
  }
}
