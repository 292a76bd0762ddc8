import assert from 'node:assert/strict'
import { test } from 'node:test'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../db/db.ts'
import { later, minutes, seconds } from '../time/clock.ts'
import { settle } from './claim.ts'
import type { JobKinds } from './job.ts'

const bench = workerBench()

test('every job of many lanes runs once, and then the queue is empty', async () => {
  const seen: unknown[] = []
  await bench.start({
    sum: {
      async run(job) {
        seen.push(job.payload)
      },
    },
  })
  const jobs = Array.from({ length: 400 }, (_, i) => ({
    kind: 'sum',
    lane: String(i % 37),
    payload: i,
  }))
  await put(bench.db, jobs, new Date())
  await until(async () => (await bench.waiting()) === 0, 'all done')
  assert.deepEqual(
    seen.map(Number).sort((a, b) => a - b),
    jobs.map((job) => job.payload),
  )
})

test('a wake runs a job long before the next poll', async () => {
  const ran = Promise.withResolvers<void>()
  const worker = await bench.start(
    {
      hinted: {
        async run() {
          ran.resolve()
        },
      },
    },
    { pollMs: 30_000 },
  )
  await put(bench.db, [{ kind: 'hinted' }], new Date())
  worker.wake()
  await ran.promise
})

test('a job of the near future runs at its due time and not at the next poll', async () => {
  const ran = Promise.withResolvers<number>()
  const worker = await bench.start(
    {
      timed: {
        async run(job) {
          ran.resolve(Date.now() - job.dueAt.getTime())
        },
      },
    },
    { pollMs: 30_000 },
  )
  await put(bench.db, [{ kind: 'timed', dueAt: later(new Date(), 400) }], new Date())
  worker.wake()
  const late = await ran.promise
  assert.ok(late >= 0 && late < 10_000, `${late} ms late`)
})

test('failed jobs are retried after exactly their delays and are then dead', async () => {
  const clock = new ManualClock()
  const tries: { attempt: number; at: number }[] = []
  const delays = [seconds(30), minutes(5), minutes(30)]
  const kinds: JobKinds = {
    failing: {
      retryDelays: delays,
      async run(job) {
        tries.push({ attempt: job.attempt, at: clock.now().getTime() })
        throw Object.assign(new Error('secret@example.com refused'), { code: 'ECONNREFUSED' })
      },
    },
  }
  await bench.start(kinds, { clock, pollMs: 10 })
  const start = clock.now().getTime()
  await put(bench.db, [{ kind: 'failing' }], clock.now())
  for (const [i, delay] of delays.entries()) {
    await until(async () => (await bench.row()).attempt === i + 1, `attempt ${i + 1} settled`)
    assert.deepEqual((await bench.row()).due, later(clock.now(), delay))
    clock.forward(delay - 1)
    await new Promise((wake) => setTimeout(wake, 60))
    assert.equal(tries.length, i + 1, 'not a millisecond early')
    clock.forward(1)
  }
  await until(async () => (await bench.row()).dead, 'dead')
  assert.deepEqual(
    tries.map(({ attempt, at }) => [attempt, at - start]),
    [
      [1, 0],
      [2, seconds(30)],
      [3, seconds(330)],
      [4, seconds(2130)],
    ],
  )
  assert.equal((await bench.row()).fault, 'Error ECONNREFUSED')
})

test('a job can settle itself in the same transaction as its writes', async () => {
  await bench.start({
    own: {
      async run(job) {
        await bench.db.tx(async (tx) => {
          const held = await settle(tx, [{ job, outcome: { outcome: 'done' } }], new Date())
          assert.ok(held.has(job))
          await tx.run(sql`insert into allowed_redirects values ('https://own.example', now())`)
        })
        return { outcome: 'settled' }
      },
    },
  })
  await put(bench.db, [{ kind: 'own' }], new Date())
  await until(async () => (await bench.waiting()) === 0, 'settled')
  assert.equal(await bench.db.run(sql`select from allowed_redirects`), 1)
})

test('a lane never has more jobs in flight than its kind allows', async () => {
  let flying = 0
  let most = 0
  await bench.start(
    {
      narrow: {
        perLane: 3,
        async run() {
          most = Math.max(most, ++flying)
          await new Promise((wake) => setTimeout(wake, 5))
          flying--
        },
      },
    },
    { slots: 50 },
  )
  await put(
    bench.db,
    Array.from({ length: 60 }, () => ({ kind: 'narrow' })),
    new Date(),
  )
  await until(async () => (await bench.waiting()) === 0, 'all done')
  assert.equal(most, 3)
})
