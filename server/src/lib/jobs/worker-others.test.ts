/** What a worker tells the workers of other processes, and what it makes of their news. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../db/db.ts'
import { later, systemClock } from '../time/clock.ts'
import { type LaneNews, placeOf } from './job.ts'

const bench = workerBench()
const options = { pollMs: 400 }
const hints: LaneNews[] = []
const tellOthers = (news: readonly LaneNews[]) => void hints.push(...news)
afterEach(() => {
  hints.length = 0
})

const news = (lane: number, dueInMs = 0): LaneNews => ({
  ...placeOf({ kind: 'any', businessId: null, lane: String(lane) }),
  priority: 1,
  dueAt: later(systemClock.now(), dueInMs),
})
const some = Array.from({ length: 200 }, (_, i) => news(i))

async function halves(): Promise<void> {
  await until(async () => {
    const rows = await bench.db.all<{ shards: number }>(sql`
      select count(*)::int as shards from shard_leases where worker is not null group by worker
    `)
    return rows.map(({ shards }) => shards).join() === '128,128'
  }, 'each holds half')
}

test('a worker that is alone tells nobody', async () => {
  const worker = await bench.start({}, { ...options, tellOthers })
  worker.wake(some)
  assert.deepEqual(hints, [])
})

test('one that never starts, as in an api process, tells of all that is due soon', async () => {
  const worker = await bench.start({}, { ...options, tellOthers })
  await worker.stop()
  worker.wake([...some, news(500, options.pollMs - 50), news(501, options.pollMs + 50)])
  assert.equal(hints.length, some.length + 1, 'the look finds what is due later')
})

test('one of two tells of what lies in shards that it does not hold', async () => {
  const times = { jobLeaseMs: 3_000, shardLeaseMs: 1_000, skewAllowanceMs: 100 }
  const worker = await bench.start({}, { ...options, times, tellOthers })
  await bench.start({}, { ...options, times })
  await halves()
  await until(() => {
    hints.length = 0
    worker.wake(some)
    return hints.length > 0
  }, 'it knows of the other')
  assert.ok(hints.length > 50 && hints.length < 150, `${hints.length} of 200`)
  const before = hints.length
  worker.hear(some)
  assert.equal(hints.length, before, 'what it hears it does not tell on')
})

test('what is heard of its own shards runs before the next look', async () => {
  const ran = Promise.withResolvers<void>()
  const kinds = {
    heard: {
      async run() {
        ran.resolve()
      },
    },
  }
  const worker = await bench.start(kinds, { pollMs: 60_000 })
  await put(bench.db, [{ kind: 'heard' }], new Date(), (lanes) => worker.hear(lanes))
  await ran.promise
})
