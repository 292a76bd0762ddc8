import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { createVault } from '../crypto/vault.ts'
import { sql } from '../db/db.ts'
import { later, minutes, seconds } from '../time/clock.ts'
import { countAttempt, networkOf, sweepAttempts } from './attempts.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const vault = createVault('a secret of at least 32 characters')
const start = new Date('2026-11-20T10:00:00Z')

let subjects = 0
/** Attempts for a subject of its own; `at` is in seconds after the start. */
function attemptsOfNewSubject(limit: number, windowMs: number) {
  const subject = `somebody-${subjects++}@example.com`
  return (at: number) =>
    countAttempt(database.db, vault, {
      purpose: 'test',
      subject,
      limit,
      windowMs,
      now: later(start, at * 1000),
    })
}

test('attempts up to the limit pass, and the next one is refused with the time to wait', async () => {
  const attempt = attemptsOfNewSubject(3, minutes(15))
  for (const at of [0, 10, 20]) assert.equal(await attempt(at), undefined)
  const refusal = await attempt(30)
  assert.equal(refusal?.code, 'rate_limited')
  assert.equal(refusal?.details.retryAfter, 15 * 60 - 30)
  assert.match(refusal?.message ?? '', /15 minutes/)
})

test('after the wait exactly one more attempt passes, because the window slides', async () => {
  const attempt = attemptsOfNewSubject(2, seconds(100))
  await attempt(0)
  await attempt(50)
  assert.ok(await attempt(99))
  assert.equal(await attempt(100), undefined)
  assert.equal((await attempt(101))?.details.retryAfter, 49)
})

test('refused attempts do not count, so repeated attempts do not prolong the wait', async () => {
  const attempt = attemptsOfNewSubject(1, seconds(60))
  await attempt(0)
  for (let at = 1; at < 60; at += 10) assert.ok(await attempt(at))
  assert.equal(await attempt(60), undefined)
})

test('of twenty simultaneous attempts exactly the limit passes', async () => {
  const attempt = attemptsOfNewSubject(5, minutes(1))
  const refusals = await Promise.all(Array.from({ length: 20 }, () => attempt(0)))
  assert.equal(refusals.filter((refusal) => refusal === undefined).length, 5)
  for (const refusal of refusals) {
    if (refusal) assert.equal(refusal.details.retryAfter, 60)
  }
})

test('no time window ever holds more attempts than the limit', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 5 }), async (waits, limit) => {
      const attempt = attemptsOfNewSubject(limit, seconds(40))
      const passed: number[] = []
      let at = 0
      for (const wait of waits) {
        at += wait
        const recent = passed.filter((time) => time > at - 40).length
        const refusal = await attempt(at)
        assert.equal(refusal === undefined, recent < limit)
        if (!refusal) passed.push(at)
      }
    }),
    { numRuns: 25 },
  )
})

test('each purpose and each subject is counted separately', async () => {
  const attempt = (purpose: string, subject: string) =>
    countAttempt(database.db, vault, { purpose, subject, limit: 1, windowMs: 1000, now: start })
  assert.equal(await attempt('mail', 'x'), undefined)
  assert.equal(await attempt('code', 'x'), undefined)
  assert.equal(await attempt('mail', 'y'), undefined)
  assert.ok(await attempt('mail', 'x'))
})

test('the subject of an attempt is not stored in the clear', async () => {
  await attemptsOfNewSubject(1, 1000)(0)
  const rows = await database.db.all<{ row: string }>(
    sql`select attempt_windows::text as row from attempt_windows`,
  )
  assert.ok(rows.length > 0)
  assert.ok(rows.every(({ row }) => !row.includes('somebody') && !row.includes('example')))
})

test('sweeping deletes attempt windows that have expired and nothing else', async () => {
  const attempt = attemptsOfNewSubject(1, minutes(10))
  await attempt(0)
  await sweepAttempts(database.db, later(start, minutes(9)))
  assert.ok(await attempt(9 * 60))
  assert.ok((await sweepAttempts(database.db, later(start, minutes(10)))) >= 1)
  const { n } = await database.db.one<{ n: number }>(sql`
    select count(*) as n from attempt_windows where expires_at <= ${later(start, minutes(10))}
  `)
  assert.equal(n, 0)
})

test('a network is one IPv4 address or one IPv6 /64, in one spelling', () => {
  assert.equal(networkOf('203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:0db8:1:2::1'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('unknown'), 'unknown')
})
