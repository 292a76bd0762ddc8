/** Helpers for tests of the job queue. */

import { after, afterEach, before } from 'node:test'
import { newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { type ClaimedJob, claimJobs, dueLanes, settle } from 'crier-server/lib/jobs/claim.ts'
import {
  enqueue,
  type JobKind,
  type JobKinds,
  type LeaseTimes,
  type NewJob,
  placeOf,
  type TellWorker,
} from 'crier-server/lib/jobs/job.ts'
import { createWorker, type Worker, type WorkerOptions } from 'crier-server/lib/jobs/worker.ts'
import { createLog } from 'crier-server/lib/process/log.ts'
import { type Clock, later, seconds, systemClock } from 'crier-server/lib/time/clock.ts'
import { type TestDatabase, testDatabase } from '../postgres/database.ts'

export const silent = createLog('silent')

/**
 * Leases that are short enough for a test to see them end, and long enough for a worker on a
 * busy machine to renew them.
 */
export const shortLeases: LeaseTimes = {
  jobLeaseMs: 3_000,
  shardLeaseMs: 3_000,
  skewAllowanceMs: 100,
}

/** A job of the service's own, where a test names no business. */
export type QueuedByTest = Omit<NewJob, 'businessId'> & Partial<Pick<NewJob, 'businessId'>>

export function put(db: Database, jobs: QueuedByTest[], now: Date, tell?: TellWorker) {
  const all = jobs.map((job): NewJob => ({ businessId: null, ...job }))
  return db.tx((tx) => enqueue(tx, all, now, tell))
}

interface Take {
  lanes?: number
  perTurn?: number
  perLane?: number
  /** Jobs held already, by lane. */
  held?: Record<string, number>
}

/** Claims due jobs in the shard of the kind's lane, as a worker does. */
export async function take(
  db: Database,
  clock: Clock,
  lane: QueuedByTest,
  { lanes = 100, perTurn = 4, perLane = 8, held = {} }: Take = {},
): Promise<ClaimedJob[]> {
  const appetite = {
    kinds: [lane.kind],
    bulkKinds: [lane.kind],
    perLane: [perLane],
    perTurn: [perTurn],
    heldLanes: Object.keys(held),
    heldJobs: Object.values(held),
  }
  const now = clock.now()
  const due = await dueLanes(db, [placeOf({ businessId: null, ...lane }).shard], appetite, now)
  return claimJobs(db, appetite, {
    lanes: due.slice(0, lanes),
    perTurn,
    lease: newId('job'),
    now,
    until: later(now, seconds(15)),
  })
}

/** Claims due jobs of this lane only. */
export function takeFrom(
  db: Database,
  clock: Clock,
  lane: QueuedByTest,
  perTurn = 4,
): Promise<ClaimedJob[]> {
  const appetite = {
    kinds: [lane.kind],
    bulkKinds: [lane.kind],
    perLane: [8],
    perTurn: [perTurn],
    heldLanes: [],
    heldJobs: [],
  }
  const now = clock.now()
  const until = later(now, seconds(15))
  const lease = newId('job')
  const lanes = [placeOf({ businessId: null, ...lane })]
  return claimJobs(db, appetite, { lanes, perTurn, lease, now, until })
}

/** Lanes of one kind that share a shard, so that one claim sees them all. */
export function lanesOfOneShard(kind: string, n: number): string[] {
  const { shard } = placeOf({ kind, businessId: null, lane: 'lane 0' })
  const names: string[] = []
  for (let i = 0; names.length < n; i++) {
    const lane = `lane ${i}`
    if (placeOf({ kind, businessId: null, lane }).shard === shard) names.push(lane)
  }
  return names
}

/** A database with workers; after each test they are stopped and the jobs are deleted. */
export interface WorkerBench {
  readonly db: Database
  readonly database: TestDatabase
  start(kinds: JobKinds, options?: Partial<WorkerOptions>): Promise<Worker>
  /** The number of jobs in any state. */
  waiting(): Promise<number>
  /** The only job in the table. */
  row(): Promise<QueuedRow>
}

export interface QueuedRow {
  attempt: number
  due: Date
  lease: string | null
  dead: boolean
  fault: string | null
}

/** Registers its own hooks, so call it once at the top of a test file. */
export function workerBench(prepare = async (_db: Database) => {}): WorkerBench {
  let database: TestDatabase
  const workers: Worker[] = []
  before(async () => {
    database = await testDatabase()
    await prepare(database.db)
  })
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop()
    await database.db.run(sql`delete from jobs`)
    await database.db.run(sql`delete from lanes`)
  })
  after(() => database.drop())

  return {
    get db() {
      return database.db
    },
    get database() {
      return database
    },
    async start(kinds, options = {}) {
      const common = { db: database.db, clock: systemClock, log: silent, slots: 16, pollMs: 50 }
      const worker = createWorker({ ...common, kinds, graceMs: 1_000, ...options })
      workers.push(worker)
      await worker.start()
      return worker
    },
    async waiting() {
      const { n } = await database.db.one<{ n: number }>(sql`select count(*) as n from jobs`)
      return n
    },
    row: () =>
      database.db.one<QueuedRow>(sql`
        select attempt, due_at as due, lease, parked_at is not null as dead, fault from jobs
      `),
  }
}

/** Jobs that record themselves in the transaction that settles them, as a domain does. */
export function recordingKind(db: Database, begun: () => void): JobKind {
  return {
    async run(job) {
      begun()
      await new Promise((wake) => setTimeout(wake, 5))
      await db.tx(async (tx) => {
        const held = await settle(tx, [{ job, outcome: { outcome: 'done' } }], new Date())
        if (!held.has(job)) return
        await tx.run(sql`insert into recorded (job) values (${job.id})`)
      })
      return { outcome: 'settled' }
    },
  }
}
