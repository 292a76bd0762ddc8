import assert from 'node:assert/strict'
import { test } from 'node:test'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../db/db.ts'
import type { Database, Sql } from '../db/types.ts'
import { later } from '../time/clock.ts'
import { settle } from './claim.ts'
import type { JobKind } from './job.ts'

const bench = workerBench()

/** The bench's database, with counts of a worker's looks and claims. */
function counted() {
  const counts = { looks: 0, claims: 0 }
  const db: Database = {
    ...bench.db,
    async all<T>(statement: Sql) {
      const rows = await bench.db.all<T>(statement)
      // Counted after the query, so a job queued after a counted look was not found by it.
      if (statement.text.includes('"nextAt"')) counts.looks++
      if (statement.text.includes('claimed as')) counts.claims++
      return rows
    },
  }
  return { db, counts }
}

/** Starts a worker that never polls by itself, and waits for its first look. */
async function sightless(kind: JobKind, options = {}) {
  const { db, counts } = counted()
  const worker = await bench.start({ told: kind }, { db, pollMs: 600_000, ...options })
  await until(() => counts.looks === 1, 'the first look')
  return { worker, counts }
}

test('jobs in announced lanes run without a look over all shards', async () => {
  let ran = 0
  const { worker, counts } = await sightless({ run: async () => void ran++ })
  for (let i = 0; i < 30; i++) {
    await put(bench.db, [{ kind: 'told', lane: String(i % 4) }], new Date(), worker.wake)
    await until(() => ran === i + 1, `job ${i} ran`)
  }
  assert.equal(counts.looks, 1)
  worker.wake()
  await until(() => counts.looks === 2, 'a wake without lanes looks')
})

test('an announced lane is claimed from even though its wake in the database was lost', async () => {
  const ran = Promise.withResolvers<void>()
  // With a stopped clock the healer never runs.
  const clock = new ManualClock()
  const { worker } = await sightless({ run: async () => ran.resolve() }, { clock })
  await bench.db.tx(async (tx) => {
    await put({ ...bench.db, tx: (work) => work(tx) }, [{ kind: 'told' }], clock.now(), worker.wake)
    await tx.run(sql`update lanes set next_at = 'infinity'`)
  })
  await ran.promise
})

test('an announced job with a future due time runs at that time', async () => {
  const ran = Promise.withResolvers<number>()
  const { worker } = await sightless({
    run: async (job) => ran.resolve(Date.now() - job.dueAt.getTime()),
  })
  const dueAt = later(new Date(), 200)
  await put(bench.db, [{ kind: 'told', dueAt }], new Date(), worker.wake)
  const late = await ran.promise
  assert.ok(late >= 0 && late < 60_000, `${late} ms late`)
})

test('a failed job runs again at its retry time, also if it settled itself', async () => {
  const tries: number[] = []
  const { worker, counts } = await sightless({
    retryDelays: [50],
    async run(job) {
      tries.push(Date.now() - job.dueAt.getTime())
      if (tries.length === 1) throw new Error('once')
      if (tries.length === 3) return { outcome: 'done' }
      const at = later(new Date(), 50)
      await settle(bench.db, [{ job, outcome: { outcome: 'retry', at } }], new Date())
      return { outcome: 'settled', at }
    },
  })
  await put(bench.db, [{ kind: 'told' }], new Date(), worker.wake)
  await until(async () => (await bench.waiting()) === 0, 'all tries')
  assert.ok(tries.length === 3 && tries.every((late) => late >= 0), tries.join())
  assert.ok(counts.looks > 1)
})

test('a job that asks to run again at once does so without a look over all shards', async () => {
  let runs = 0
  const { worker, counts } = await sightless({
    run: async () => (++runs < 5 ? { outcome: 'again', at: new Date() } : { outcome: 'done' }),
  })
  await put(bench.db, [{ kind: 'told' }], new Date(), worker.wake)
  await until(async () => (await bench.waiting()) === 0, 'all runs')
  assert.deepEqual([runs, counts.looks], [5, 1])
})

test('jobs waiting for capacity in their lane continue when there is some, in every shard', async () => {
  let flying = 0
  let most = 0
  const { worker, counts } = await sightless({
    perLane: 2,
    async run() {
      most = Math.max(most, ++flying)
      await new Promise((wake) => setTimeout(wake, 2))
      flying--
    },
  })
  const jobs = Array.from({ length: 40 }, (_, i) => ({ kind: 'told', spread: String(i % 8) }))
  await put(bench.db, jobs, new Date(), worker.wake)
  await until(async () => (await bench.waiting()) === 0, 'all done')
  assert.equal(counts.looks, 1)
  assert.equal(most, 2)
})

test('jobs waiting for a worker slot continue when a slot is free', async () => {
  const { worker, counts } = await sightless({ run: async () => {} }, { slots: 2 })
  const jobs = Array.from({ length: 60 }, (_, i) => ({ kind: 'told', lane: String(i % 20) }))
  await put(bench.db, jobs, new Date(), worker.wake)
  await until(async () => (await bench.waiting()) === 0, 'all done')
  assert.equal(counts.looks, 1)
})

test('a job kind sets how many jobs of one lane are claimed together', async () => {
  const claims = async (perTurn: number | undefined) => {
    const limit = perTurn === undefined ? {} : { perTurn }
    const { worker, counts } = await sightless({ perLane: 12, ...limit, run: async () => {} })
    const jobs = Array.from({ length: 11 }, () => ({ kind: 'told' }))
    await put(bench.db, jobs, new Date(), worker.wake)
    await until(async () => (await bench.waiting()) === 0, 'all done')
    await worker.stop()
    return counts.claims
  }
  assert.equal(await claims(12), 1)
  assert.equal(await claims(undefined), 3)
})

test('lanes found behind the first lane of a shard are looked for at once', async () => {
  const { worker, counts } = await sightless({ run: async () => {} })
  const jobs = Array.from({ length: 600 }, (_, i) => ({ kind: 'told', lane: String(i) }))
  await put(bench.db, jobs, new Date())
  worker.wake()
  await until(async () => (await bench.waiting()) === 0, 'all done')
  assert.ok(counts.looks > 2, `${counts.looks} looks`)
})

test('lanes that a failed claim was working on are looked for again', async () => {
  let ran = false
  const { db, counts } = counted()
  let broken = true
  const faulty: Database = {
    ...db,
    all(statement) {
      if (!statement.text.includes('claimed as') || !broken) return db.all(statement)
      broken = false
      return Promise.reject(new Error('as an outage'))
    },
  }
  const kind: JobKind = {
    run: async () => {
      ran = true
    },
  }
  const worker = await bench.start({ told: kind }, { db: faulty, pollMs: 600_000 })
  await until(() => counts.looks === 1, 'the first look')
  await put(bench.db, [{ kind: 'told' }], new Date(), worker.wake)
  await until(() => ran, 'it ran')
})
