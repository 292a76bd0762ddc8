import type { Db, Tx } from '../db/types.ts'
import type { Id } from '../text/uuid.ts'
import { later } from '../time/clock.ts'
import { defaultTimes, type Priority, priorities } from './job.ts'
import {
  countWaiting,
  existingJobs,
  type HeldNow,
  heldJobs,
  jobExists,
  lockJobRow,
  pauseLaneRow,
  putFirst,
  type QueuedJob,
  resumeLaneRow,
  steerLaneRow,
  type Waiting,
} from './lane-queries.ts'
import { type LaneName, placeOf } from './shard.ts'

/**
 * Suspends the lane's present and future jobs. Jobs in flight continue, and no job is dropped. A
 * lane without a job yet is created with the priority.
 */
export async function pauseLane(
  db: Db,
  lane: LaneName,
  now: Date,
  priority: Priority = 'normal',
): Promise<void> {
  const row = { ...placeOf(lane), kind: lane.kind, priority: priorities[priority] }
  await pauseLaneRow(db, row, now)
}

export async function resumeLane(db: Db, lane: LaneName, now: Date): Promise<void> {
  await resumeLaneRow(db, placeOf(lane), now)
}

export interface Steering {
  /** The limit of jobs in flight in the lane; null for the kind's own limit. */
  capacity: number | null
  priority: Priority
}

/** Sets the lane's limit of jobs in flight, and its priority. */
export async function steerLane(
  db: Db,
  lane: LaneName,
  { capacity, priority }: Steering,
  now: Date,
): Promise<void> {
  const row = { ...placeOf(lane), kind: lane.kind, priority: priorities[priority] }
  await steerLaneRow(db, row, capacity, now)
}

/** Whether the job waits in the lane or is running. */
export async function isQueued(db: Db, lane: LaneName, id: Id<'job'>): Promise<boolean> {
  return (await jobExists(db, placeOf(lane).shard, id)) !== undefined
}

/** Those of the jobs that wait in the lane or are running. */
export function queuedOf(
  db: Db,
  lane: LaneName,
  ids: readonly Id<'job'>[],
): Promise<ReadonlySet<Id<'job'>>> {
  return existingJobs(db, placeOf(lane).shard, ids)
}

/** Reads a job of the lane, which nobody claims until the transaction ends. */
export function lockJob(tx: Tx, lane: LaneName, id: Id<'job'>): Promise<QueuedJob | undefined> {
  return lockJobRow(tx, placeOf(lane).shard, id)
}

/** Makes a job that nobody holds the first of its lane, due now, with this payload. */
export async function runFirst(
  tx: Tx,
  lane: LaneName,
  job: { id: Id<'job'>; payload: unknown },
  now: Date,
): Promise<void> {
  await putFirst(tx, placeOf(lane), job, now)
}

/** Jobs of the lanes that workers run now, or were running when they died. */
export function heldIn(db: Db, lanes: readonly LaneName[], now: Date): Promise<HeldNow[]> {
  const places = lanes.map((lane) => ({ ...placeOf(lane), kind: lane.kind }))
  return heldJobs(db, places, later(now, defaultTimes.jobLeaseMs))
}

/** Counts jobs of the lanes that wait, due or not, or are running. */
export function waitingIn(db: Db, lanes: readonly LaneName[], now: Date): Promise<Waiting> {
  return countWaiting(db, lanes.map(placeOf), now)
}
