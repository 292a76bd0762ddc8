import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { openDatabase, sql } from '../db/db.ts'
import type { Database } from '../db/types.ts'
import { createLog } from '../process/log.ts'
import { systemClock } from '../time/clock.ts'
import { createRateLimiter } from './rate-limit.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const log = createLog('silent')

function limiter(clock = new ManualClock(), options: { limit?: number; maxKeys?: number } = {}) {
  return { clock, rate: createRateLimiter({ db: database.db, clock, log, ...options }) }
}

test('the 600th request in a minute passes and the 601st does not', () => {
  const { rate, clock } = limiter()
  for (let i = 1; i <= 600; i++) {
    const verdict = rate.check('a')
    assert.deepEqual([verdict.allowed, verdict.remaining], [true, 600 - i])
  }
  clock.forward(10_000)
  assert.deepEqual(rate.check('a'), {
    allowed: false,
    wider: false,
    limit: 600,
    remaining: 0,
    resetSeconds: 51,
    retryAfter: 51,
  })
})

test('the next request passes after the wait that the refusal names', () => {
  const { rate, clock } = limiter()
  for (let i = 0; i < 600; i++) rate.check('a')
  const { retryAfter } = rate.check('a')
  clock.forward(retryAfter * 1000 - 1)
  assert.equal(rate.check('a').allowed, false)
  clock.forward(1)
  assert.equal(rate.check('a').allowed, true)
})

test('keys do not share a bucket, and refused requests do not count', () => {
  const { rate, clock } = limiter(undefined, { limit: 2 })
  for (let i = 0; i < 50; i++) rate.check('a')
  assert.equal(rate.check('b').allowed, true)
  assert.deepEqual(rate.refusals, { token: 48, connection: 0 })
  clock.forward(61_000)
  assert.equal(rate.check('a').remaining, 1)
})

test('a wider bucket counts all its keys, and a request refused by either bucket counts in neither', () => {
  const { rate, clock } = limiter(undefined, { limit: 10 })
  const wider = { key: 'all', limit: 25 }
  const use = (key: string, n: number) => {
    return Array.from({ length: n }, () => rate.check(key, wider).allowed).filter(Boolean).length
  }
  assert.deepEqual([use('a', 15), use('b', 15)], [10, 10])
  clock.forward(10_000)
  assert.deepEqual(use('c', 15), 5)
  assert.deepEqual(rate.check('c', wider), {
    allowed: false,
    wider: true,
    limit: 25,
    remaining: 0,
    resetSeconds: 61,
    retryAfter: 51,
  })
  assert.deepEqual(rate.refusals, { token: 10, connection: 11 })
  // Five of its own ten are left, because refused requests were not counted.
  assert.equal(rate.check('c').remaining, 4)
  assert.equal(rate.check('elsewhere', { key: 'others', limit: 25 }).allowed, true)
  clock.forward(51_000)
  assert.equal(rate.check('c', wider).allowed, true)
})

test('the reported limit is that of the bucket with the least remaining', () => {
  const { rate } = limiter(undefined, { limit: 3 })
  const wider = { key: 'all', limit: 4 }
  assert.deepEqual([rate.check('a', wider).remaining, rate.check('a', wider).remaining], [2, 1])
  const { limit, remaining, wider: isWider } = rate.check('b', wider)
  assert.deepEqual([limit, remaining, isWider], [4, 1, true])
})

test('two nodes share the counts of a wider bucket', async () => {
  const clock = new ManualClock()
  const [one, two] = [limiter(clock).rate, limiter(clock).rate]
  const wider = { key: 'wide', limit: 700 }
  for (let i = 0; i < 400; i++) one.check('its token', wider)
  two.check('another token', wider)
  await one.exchange()
  await two.exchange()
  assert.equal(two.check('another token', wider).remaining, 700 - 402)
})

test('no 60-second window exceeds the limit, and no request below the limit is refused', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 20 }), (waits, limit) => {
      const { rate, clock } = limiter(undefined, { limit })
      const passed: number[] = []
      for (const wait of waits) {
        clock.forward(wait)
        const now = clock.now().getTime()
        const within = (ms: number) => passed.filter((at) => at >= now - ms).length
        if (rate.check('a').allowed) {
          passed.push(now)
          assert.ok(within(60_000) <= limit)
        } else {
          assert.ok(within(61_000) >= limit)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('two nodes see each other’s counts after one exchange', async () => {
  const clock = new ManualClock()
  const [one, two] = [limiter(clock).rate, limiter(clock).rate]
  for (let i = 0; i < 400; i++) one.check('shared')
  two.check('shared')
  await one.exchange()
  await two.exchange()
  assert.equal(two.check('shared').remaining, 600 - 402)
  await two.exchange()
  one.check('shared')
  await one.exchange()
  assert.equal(one.check('shared').remaining, 600 - 404)
})

test('two busy nodes together overshoot the limit by no more than one second of traffic', async () => {
  const clock = new ManualClock()
  const nodes = [limiter(clock).rate, limiter(clock).rate]
  let passed = 0
  for (let second = 0; second < 30; second++) {
    for (const node of nodes) {
      for (let i = 0; i < 25; i++) passed += Number(node.check('busy').allowed)
    }
    for (const node of nodes) await node.exchange()
    clock.forward(1_000)
  }
  assert.ok(passed >= 600 && passed <= 650, String(passed))
})

test('a lone node writes its counts every ten seconds, and all of them once another node joins', async (t) => {
  const own = await testDatabase()
  t.after(own.drop)
  const clock = new ManualClock()
  const node = () => createRateLimiter({ db: own.db, clock, log })
  const counted = async () => {
    const { n } = await own.db.one<{ n: number }>(sql`
      select coalesce(sum(n), 0)::int as n from request_seconds, unnest(counts) as n
    `)
    return n
  }
  const first = node()
  const told: number[] = []
  for (let second = 0; second <= 25; second++) {
    first.check('lonely')
    await first.exchange()
    told.push(await counted())
    clock.forward(1_000)
  }
  assert.deepEqual(
    told,
    Array.from({ length: 26 }, (_, second) => 1 + 10 * Math.floor(second / 10)),
  )
  const second = node()
  second.check('lonely')
  await second.exchange()
  await first.exchange()
  second.check('lonely')
  await second.exchange()
  assert.equal(second.check('lonely').remaining, 600 - 29)
  first.check('lonely')
  await first.exchange()
  assert.equal(first.check('lonely').remaining, 600 - 30)
})

test('a restarted node learns the requests that its predecessor allowed', async () => {
  const clock = new ManualClock()
  const forerunner = limiter(clock).rate
  for (let i = 0; i < 600; i++) forerunner.check('restart')
  await forerunner.stop()
  const successor = limiter(clock).rate
  assert.equal(successor.check('restart').allowed, true)
  await successor.exchange()
  assert.equal(successor.check('restart').allowed, false)
})

test('the timer exchanges counts by itself within about a second', async () => {
  const [one, two] = [1, 2].map(() => {
    return createRateLimiter({ db: database.db, clock: systemClock, log })
  })
  assert.ok(one && two)
  one.start()
  two.start()
  const start = Date.now()
  one.check('timed')
  for (let own = 1; two.check('timed').remaining === 600 - own; own++) {
    assert.ok(Date.now() - start < 60_000, 'two never heard of one')
    await new Promise((wake) => setTimeout(wake, 50))
  }
  await Promise.all([one.stop(), two.stop()])
})

test('idle keys are deleted from memory and from the table', async () => {
  const { rate, clock } = limiter()
  for (let i = 0; i < 100; i++) rate.check(`idle ${i}`)
  await rate.exchange()
  assert.equal(rate.size, 100)
  clock.forward(61_000)
  rate.check('live')
  await rate.exchange()
  assert.equal(rate.size, 1)
  const left = await database.db.all<{ key: string }>(sql`
    select key from request_seconds where key like 'idle %' or key = 'live'
  `)
  assert.deepEqual(left, [{ key: 'live' }])
})

test('memory is bounded: beyond maxKeys the longest idle key is evicted', () => {
  const { rate, clock } = limiter(undefined, { maxKeys: 10, limit: 1 })
  rate.check('first')
  clock.forward(1_000)
  for (let i = 0; i < 10; i++) rate.check(`key ${i}`)
  assert.equal(rate.size, 10)
  assert.equal(rate.check('key 0').allowed, false)
})

test('no request is refused while the database is away, and the counts are written later', async () => {
  const clock = new ManualClock()
  let away = true
  const { db } = database
  const broken: Database = {
    ...db,
    tx: (work) => (away ? Promise.reject(new Error('Connection terminated')) : db.tx(work)),
  }
  const warnings: string[] = []
  const noisy = { ...log, warn: (_facts: object, event: string) => warnings.push(event) }
  const rate = createRateLimiter({ db: broken, clock, log: noisy as unknown as typeof log })
  rate.check('away')
  await rate.exchange()
  await rate.exchange()
  assert.equal(rate.check('away').allowed, true)
  assert.deepEqual(warnings, ['rate.exchange_failed'])
  away = false
  await rate.exchange()
  const row = await db.one<{ counts: number[] }>(sql`
    select counts from request_seconds where key = 'away'
  `)
  assert.deepEqual(row.counts, [2])
})

test('a rate limit check is cheap enough for a hot path', () => {
  const { rate } = limiter({ now: () => new Date() } as ManualClock)
  const keys = Array.from({ length: 1_000 }, (_, i) => `key-${i}`)
  const start = cpuMs()
  for (let i = 0; i < 300_000; i++) rate.check(keys[i % 1_000] ?? '')
  const perSecond = 300_000 / ((cpuMs() - start) / 1_000)
  // An idle machine makes about two million a second; the bound allows for a busy one.
  assert.ok(perSecond > 200_000, `${Math.round(perSecond)} checks a second`)
})

test('counts exchanged through another database connection are seen, as from another process', async () => {
  const other = openDatabase({ connection: database.connection })
  const clock = new ManualClock()
  const near = limiter(clock).rate
  const far = createRateLimiter({ db: other, clock, log })
  for (let i = 0; i < 600; i++) far.check('elsewhere')
  await far.exchange()
  near.check('elsewhere')
  await near.exchange()
  assert.equal(near.check('elsewhere').allowed, false)
  await other.end()
})
