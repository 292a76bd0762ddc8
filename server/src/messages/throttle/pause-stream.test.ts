import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, later, minutes } from '../../lib/time/clock.ts'
import { listRefused } from '../relays/warm-up.ts'
import { pauseStream, pauseUntilMended, refusalsToPause } from './pause-stream.ts'
import { textProvider } from './provider.ts'
import { createThrottle, deleteIdleStreams } from './throttle.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const route = 'relay.test:587'
const stream = { route, kind: 'marketing', provider: 'gmail' } as const

const of = (domain: string, kind: 'transactional' | 'marketing', provider = 'gmail') => ({
  domain,
  kind,
  provider,
})

const refuse = (senderDomain: string, times = 1) =>
  database.db.tx(async (tx) => {
    for (let n = 0; n < times; n++) await pauseStream(tx, { ...stream, senderDomain }, clock.now())
  })

async function pausedUntil(domain: string): Promise<Date | null | undefined> {
  const row = await database.db.maybe<{ until: Date | null }>(sql`
    select paused_until as until from send_throttles where route = ${route} and domain = ${domain}
  `)
  return row?.until
}

test('several refusals within ten minutes pause the stream for an hour', async () => {
  await refuse('often.test', refusalsToPause - 1)
  assert.equal(await pausedUntil('often.test'), null)
  await refuse('often.test')
  assert.deepEqual(await pausedUntil('often.test'), later(clock.now(), hours(1)))
})

test('a reply that names what the sender lacks pauses the stream at once, and is noted', async () => {
  const senderDomain = 'unsigned.test'
  const lacking = (kind: 'marketing' | 'transactional', provider: string) =>
    database.db.tx((tx) =>
      pauseUntilMended(tx, { route, senderDomain, kind, provider }, ['dkim'], clock.now()),
    )
  await lacking('marketing', 'gmail')
  assert.deepEqual(await pausedUntil(senderDomain), later(clock.now(), hours(1)))
  await lacking('transactional', 'yahoo')
  const recent = { since: later(clock.now(), -hours(1)), limit: 10 }
  assert.deepEqual(
    (await listRefused(database.db, senderDomain, recent)).map(({ provider, kind, missing }) => {
      return [provider, kind, missing]
    }),
    [
      ['gmail', 'marketing', ['dkim']],
      ['yahoo', 'transactional', ['dkim']],
    ],
  )
  clock.forward(hours(2))
  const afterwards = { since: later(clock.now(), -hours(1)), limit: 10 }
  assert.deepEqual(await listRefused(database.db, senderDomain, afterwards), [])
})

test('a report that names what the sender lacks is counted like others, since anybody can write one', async () => {
  const key = { ...stream, senderDomain: 'reported.test' }
  const report = () => database.db.tx((tx) => pauseStream(tx, key, clock.now(), ['spf']))
  await report()
  assert.equal(await pausedUntil('reported.test'), null)
  for (let n = 1; n < refusalsToPause; n++) await report()
  assert.deepEqual(await pausedUntil('reported.test'), later(clock.now(), hours(1)))
  const [row] = await listRefused(database.db, 'reported.test', {
    since: later(clock.now(), -hours(1)),
    limit: 10,
  })
  assert.deepEqual(row?.missing, ['spf'])
})

test('the same number of refusals over a longer time does not pause the stream', async () => {
  for (let n = 0; n < refusalsToPause * 2; n++) {
    await refuse('seldom.test')
    clock.forward(minutes(4))
  }
  assert.equal(await pausedUntil('seldom.test'), null)
})

test('a message that was never attempted does not pause a stream', async () => {
  await database.db.tx((tx) =>
    pauseStream(tx, { ...stream, route: null, senderDomain: 'x.test' }, clock.now()),
  )
  assert.equal(await pausedUntil('x.test'), undefined)
})

test('a paused stream reports its end, and other senders, kinds and providers continue', async () => {
  await refuse('paused.test', refusalsToPause)
  const limits = { rate: undefined, connections: 3, warmUp: false }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  const held = await throttle.enter(of('paused.test', 'marketing'))
  assert.deepEqual(held, { until: later(clock.now(), hours(1)), isPaused: true })
  for (const other of [
    of('other.test', 'marketing'),
    of('paused.test', 'transactional'),
    of('paused.test', 'marketing', 'yahoo'),
  ]) {
    const pass = await throttle.enter(other)
    assert.ok('leave' in pass, JSON.stringify(other))
    pass.leave(false)
  }
})

test('the throttle admits as many messages as connections, and the next one when one leaves', async () => {
  const limits = { rate: undefined, connections: 2, warmUp: false }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  const enter = () => throttle.enter(of('busy.test', 'marketing'))
  const [one, two] = [await enter(), await enter()]
  let entered = false
  const third = enter().then((pass) => {
    entered = true
    return pass
  })
  await new Promise((go) => setTimeout(go, 50))
  assert.equal(entered, false)
  assert.ok('leave' in one && 'leave' in two)
  one.leave(false)
  assert.ok('leave' in (await third))
})

test('a new domain’s marketing beyond the day’s warm-up limit waits, and other mail does not', async () => {
  const limits = { rate: undefined, connections: 1000, warmUp: true }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  let passed = 0
  let until: Date | undefined
  while (!until) {
    const pass = await throttle.enter(of('new.test', 'marketing'))
    if ('until' in pass) {
      assert.equal(pass.isPaused, false)
      until = pass.until
    } else passed++
  }
  assert.equal(passed, 200)
  assert.equal(until.toISOString().slice(11), '00:00:00.000Z')
  assert.ok('leave' in (await throttle.enter(of('new.test', 'transactional'))))
})

test('a provider’s slowdown affects only marketing to it, not receipts or other providers', async () => {
  const limits = { rate: undefined, connections: 4, warmUp: false }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  const news = await throttle.enter(of('slowed.test', 'marketing'))
  const receipt = await throttle.enter(of('slowed.test', 'transactional'))
  const elsewhere = await throttle.enter(of('slowed.test', 'marketing', 'yahoo'))
  assert.ok('leave' in news && 'leave' in receipt && 'leave' in elsewhere)
  news.leave(true)
  receipt.leave(false)
  elsewhere.leave(false)
  const slowed = () =>
    database.db.all<{ kind: string; provider: string; inFlight: number }>(sql`
      select kind, provider, in_flight as "inFlight" from send_throttles
      where domain = 'slowed.test' order by kind, provider
    `)
  assert.deepEqual(await eventually(slowed, ([first]) => first?.inFlight === 2), [
    { kind: 'marketing', provider: 'gmail', inFlight: 2 },
    { kind: 'marketing', provider: 'yahoo', inFlight: 4 },
    { kind: 'transactional', provider: 'gmail', inFlight: 4 },
  ])
})

test('the rate applies to the whole sender domain, over all kinds and providers', async () => {
  const limits = { rate: 10, connections: 4, warmUp: false }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  const began = performance.now()
  for (const provider of ['gmail', 'yahoo', 'apple']) {
    const pass = await throttle.enter(of('rated.test', 'marketing', provider))
    assert.ok('leave' in pass)
    pass.leave(false)
  }
  const tokens = await database.db.all<{ provider: string }>(sql`
    select provider from send_throttles where domain = 'rated.test' and tokens > 0 or
      domain = 'rated.test' and provider = '' order by provider
  `)
  assert.deepEqual(
    tokens.map(({ provider }) => provider),
    [''],
  )
  assert.ok(performance.now() - began < 5_000)
})

test('texts have a provider stream besides the rate of their sender', async () => {
  const limits = { rate: 10, connections: 4, warmUp: false }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  const pass = await throttle.enter(of('texts', 'transactional', textProvider))
  assert.ok('leave' in pass)
  pass.leave(false)
  const { rows } = await database.db.one<{ rows: number }>(sql`
    select count(*)::int as rows from send_throttles where domain = 'texts'
  `)
  assert.equal(rows, 2)
})

test('a stream unused for long is deleted, and other streams are not', async () => {
  const limits = { rate: undefined, connections: 4, warmUp: false }
  const throttle = createThrottle({ db: database.db, clock, route, limits })
  const use = async (domain: string) => {
    const pass = await throttle.enter(of(domain, 'marketing'))
    assert.ok('leave' in pass)
    pass.leave(false)
  }
  await use('idle.test')
  clock.forward(days(1))
  await use('used.test')
  await deleteIdleStreams(database.db, later(clock.now(), -hours(23)))
  const kept = await database.db.all<{ domain: string }>(sql`
    select domain from send_throttles where domain in ('idle.test', 'used.test')
  `)
  assert.deepEqual(kept, [{ domain: 'used.test' }])
})
