import assert from 'node:assert/strict'
import { test } from 'node:test'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../db/db.ts'

const bench = workerBench()

test('stopping a worker lets running jobs end and takes no new ones', async () => {
  const finish = Promise.withResolvers<void>()
  let runs = 0
  const worker = await bench.start(
    {
      ending: {
        async run() {
          runs++
          await finish.promise
        },
      },
    },
    { slots: 2, graceMs: 10_000 },
  )
  await put(
    bench.db,
    Array.from({ length: 5 }, () => ({ kind: 'ending' })),
    new Date(),
  )
  await until(() => runs === 2, 'both slots taken')
  const stopped = worker.stop()
  finish.resolve()
  await stopped
  assert.equal(runs, 2)
  assert.equal(await bench.waiting(), 3)
})

test('stopping a worker returns unfinished jobs unchanged and due at once', async () => {
  const running = Promise.withResolvers<void>()
  const worker = await bench.start(
    {
      stuck: {
        run: () => {
          running.resolve()
          return new Promise<void>(() => {})
        },
      },
    },
    { graceMs: 20 },
  )
  await put(bench.db, [{ kind: 'stuck' }], new Date())
  await running.promise
  await worker.stop()
  const row = await bench.row()
  assert.deepEqual([row.lease, row.attempt], [null, 0])
  assert.ok(row.due <= new Date())
  const { held } = await bench.db.one<{ held: number }>(sql`
    select count(*) as held from shard_leases where worker is not null
  `)
  assert.equal(held, 0)
  assert.equal(await bench.db.run(sql`select from job_workers`), 0)
})
