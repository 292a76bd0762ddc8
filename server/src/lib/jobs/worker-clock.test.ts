import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../db/db.ts'
import { createLog } from '../process/log.ts'
import { createSteadyClock, days, hours, later } from '../time/clock.ts'
import { everyShard } from './job.ts'

const bench = workerBench()

/** The system's clock, which can be set. */
function settable() {
  let aheadMs = 0
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  return {
    steady: createSteadyClock(clock, () => performance.now()),
    set: (ms: number) => {
      aheadMs = ms
    },
  }
}

for (const aheadMs of [days(30), -hours(3)]) {
  test(`a worker whose clock jumps by ${aheadMs / hours(1)} hours claims nothing until it is right again`, async () => {
    const { steady, set } = settable()
    const lines: { msg: string; aheadMs?: number }[] = []
    const to = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    const ran: unknown[] = []
    const kinds = {
      watched: {
        async run({ payload }: { payload: unknown }) {
          ran.push(payload)
        },
      },
    }
    const worker = await bench.start(kinds, { clock: steady, log: createLog('info', to) })
    await put(bench.db, [{ kind: 'watched', payload: 'before' }], new Date())
    await until(async () => ran.length === 1, 'it works while the clock is right')
    set(aheadMs)
    await until(async () => lines.some(({ msg }) => msg === 'jobs.clock_jumped'), 'it says so')
    // One that is due, and one that would be due only by the wrong clock.
    await put(bench.db, [{ kind: 'watched', payload: 'due' }], later(new Date(), -1_000))
    const tomorrow = later(new Date(), days(1))
    await put(bench.db, [{ kind: 'watched', payload: 'tomorrow', dueAt: tomorrow }], new Date())
    worker.wake()
    await sleep(1_500)
    assert.deepEqual(ran, ['before'])
    const { n } = await bench.db.one<{ n: number }>(sql`
      select count(*)::int as n from shard_leases
      where worker is not null and expires_at > ${later(new Date(), hours(1))}
    `)
    assert.equal(n, 0, 'no lease is written by the wrong clock')
    set(0)
    await until(async () => ran.length === 2, 'it goes on')
    assert.deepEqual(ran, ['before', 'due'])
    assert.deepEqual(
      lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('jobs.clock')),
      ['jobs.clock_jumped', 'jobs.clock_right'],
    )
    assert.ok(
      Math.abs((lines.find(({ msg }) => msg === 'jobs.clock_jumped')?.aheadMs ?? 0) - aheadMs) <
        5_000,
    )
  })
}

test('what a worker with a clock a year ahead left leased is taken over at once', async () => {
  const { db } = bench
  const year = later(new Date(), days(365))
  const ran = Promise.withResolvers<void>()
  await put(db, [{ kind: 'left' }], new Date())
  await db.run(sql`
    update jobs set lease = id, claimed_at = ${year}, due_at = ${year}, claims = 1
  `)
  await db.run(sql`update lanes set next_at = ${year}`)
  await db.run(sql`
    update shard_leases set worker = gen_random_uuid(), expires_at = ${year}
  `)
  await db.run(sql`insert into job_workers (id, expires_at) values (gen_random_uuid(), ${year})`)
  const worker = await bench.start({
    left: {
      async run() {
        ran.resolve()
      },
    },
  })
  assert.equal(worker.shardsHeld(), everyShard.length)
  await ran.promise
})
