import assert from 'node:assert/strict'
import { test } from 'node:test'
import { put, shortLeases, silent, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { openDatabase, sql } from '../db/db.ts'
import { later, minutes } from '../time/clock.ts'
import type { Job } from './job.ts'

const bench = workerBench()

test('the lease of a job that outlives it is renewed, and the job runs once', async () => {
  let runs = 0
  await bench.start(
    {
      long: {
        async run() {
          runs++
          await new Promise((wake) => setTimeout(wake, shortLeases.jobLeaseMs * 2))
        },
      },
    },
    { times: shortLeases },
  )
  await put(bench.db, [{ kind: 'long' }], new Date())
  await until(async () => (await bench.waiting()) === 0, 'done')
  assert.equal(runs, 1)
})

test('a job attempt that exceeds its timeout is aborted and counts as failed', async () => {
  let reason: unknown
  await bench.start({
    slow: {
      timeoutMs: 50,
      retryDelays: [minutes(1)],
      run: (_job, signal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(new Error('aborted'))
          })
        }),
    },
  })
  await put(bench.db, [{ kind: 'slow' }], new Date())
  await until(async () => (await bench.row()).attempt === 1, 'failed')
  assert.equal((reason as Error).name, 'JobTimeout')
})

test('a job that ignores the abort signal frees its slot all the same', async () => {
  const seen: unknown[] = []
  await bench.start(
    {
      deaf: {
        timeoutMs: 50,
        retryDelays: [],
        run: (job) => {
          seen.push(job.payload)
          return new Promise<void>(() => {})
        },
      },
    },
    { slots: 1 },
  )
  await put(
    bench.db,
    [
      { kind: 'deaf', payload: 1 },
      { kind: 'deaf', payload: 2 },
    ],
    new Date(),
  )
  await until(() => seen.length === 2, 'the second had its turn')
})

test('a job whose lease was taken over is aborted, and its result is discarded', async () => {
  const aborted = Promise.withResolvers<void>()
  let job: Job | undefined
  await bench.start(
    {
      stolen: {
        run: (own, signal) => {
          job ??= own
          return new Promise<void>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted.resolve()
              reject(new Error('gone'))
            })
          })
        },
      },
    },
    { times: shortLeases },
  )
  await put(bench.db, [{ kind: 'stolen' }], new Date())
  await until(() => job !== undefined, 'running')
  const thief = crypto.randomUUID()
  await bench.db.run(
    sql`update jobs set lease = ${thief}, due_at = ${later(new Date(), minutes(1))}`,
  )
  await aborted.promise
  const row = await bench.row()
  assert.deepEqual([row.lease, row.attempt], [thief, 0])
})

test('a worker survives a database outage and continues', async () => {
  const own = openDatabase({ connection: bench.database.connection, onIdleError: () => {} })
  const faults: string[] = []
  const log = { ...silent, error: (_facts: object, event: string) => faults.push(event) }
  let ran = 0
  const worker = await bench.start(
    {
      after: {
        async run() {
          ran++
        },
      },
    },
    { db: own, log: log as unknown as typeof silent, pollMs: 10 },
  )
  await bench.db.run(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'
  `)
  await put(bench.db, [{ kind: 'after' }], new Date())
  await until(() => ran === 1, 'the job ran after the outage')
  await worker.stop()
  await own.end()
})
