import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../db/db.ts'
import type { JobKinds } from './job.ts'

const bench = workerBench()

/** The time that the dead receiver holds a slot, far longer than a busy machine needs for a job. */
const holdsMs = 5_000

test('a lane with thousands of jobs for a dead receiver does not starve other lanes', async () => {
  const end = Promise.withResolvers<void>()
  const latencies: number[] = []
  let healthy = 0
  const kinds: JobKinds = {
    deliver: {
      async run(job) {
        if (job.payload === 'dead') {
          // Like a receiver that never answers; the end of the test frees it.
          await Promise.race([sleep(holdsMs, undefined, { ref: false }), end.promise])
          throw new Error('timeout')
        }
        latencies.push(Date.now() - job.dueAt.getTime())
        healthy++
      },
    },
  }
  const dead = Array.from({ length: 5_000 }, () => ({
    kind: 'deliver',
    lane: 'dead',
    payload: 'dead',
  }))
  await put(bench.db, dead, new Date())
  const worker = await bench.start(kinds, { slots: 32, graceMs: 10 })
  await until(async () => {
    const { held } = await bench.db.one<{ held: number }>(sql`
      select count(*) as held from jobs where lease is not null
    `)
    return held === 8
  }, 'the dead lane has all it may have in flight')

  for (let round = 0; round < 20; round++) {
    const jobs = Array.from({ length: 20 }, (_, i) => ({ kind: 'deliver', lane: `alive ${i}` }))
    await put(bench.db, jobs, new Date())
    worker.wake()
    await sleep(25)
  }
  await until(() => healthy === 400, 'every healthy job ran')
  const median = latencies.sort((a, b) => a - b)[200] ?? 0
  assert.ok(median < holdsMs / 2, `the median healthy job waited ${median} ms for a dead one`)
  const { left } = await bench.db.one<{ left: number }>(sql`
    select count(*) as left from jobs where payload::text = '"dead"'
  `)
  assert.equal(left, 5_000, 'the dead lane lost nothing')
  end.resolve()
})
