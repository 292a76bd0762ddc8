/** When a night begins, how far back months reach, and when a count ends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { monthsBefore } from '../accounts/businesses/retention.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { sql } from '../lib/db/db.ts'
import type { Job } from '../lib/jobs/job.ts'
import { days, hours } from '../lib/time/clock.ts'
import { retentionJob } from './job.ts'
import { retentionJobs } from './jobs.ts'
import { mostCounted, retentionPreview } from './preview.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const { signal } = new AbortController()

async function business() {
  const id = await newBusiness(database.db)
  const change = { key: 'retention', value: '{"messages":6}', now: clock.now() }
  await setBusiness(database.db, id, change)
  return id
}

test('the nightly deletion starts once, after three o’clock in the time zone of the business', async () => {
  const id = await business()
  await database.db.run(sql`update businesses set time_zone = 'Asia/Tokyo' where id = ${id}`)
  const kinds = retentionJobs({ db: database.db, clock, hmac: testVault.hmac, historyMonths: null })
  const queued = async () => {
    await kinds['retention.begin-nights']?.run({} as Job, signal)
    const { n } = await database.db.one<{ n: number }>(sql`
      select count(*)::int as n from jobs
      where kind = ${retentionJob} and payload ->> 'business_id' = ${id}
    `)
    return n
  }
  const midnight = Date.UTC(2027, 0, 10, 15)
  clock.forward(midnight + hours(3) - 1 - clock.now().getTime())
  assert.equal(await queued(), 0)
  clock.forward(1)
  assert.deepEqual([await queued(), await queued()], [1, 1])
  clock.forward(days(1))
  assert.equal(await queued(), 2)
})

test('retention months are calendar months and end on the last day of a shorter month', () => {
  const back = (day: string, months: number) =>
    monthsBefore(new Date(`${day}T10:00:00Z`), months)
      .toISOString()
      .slice(0, 10)
  assert.equal(back('2026-03-31', 1), '2026-02-28')
  assert.equal(back('2026-01-15', 2), '2025-11-15')
  assert.equal(back('2028-02-29', 12), '2027-02-28')
})

test('a preview’s count stops at its maximum and says that there are more', async () => {
  const id = await business()
  await database.db.run(sql`
    with old as (
      insert into messages (business_id, id, kind, recipient, state, attempts, due_at, created_at,
        updated_at)
      select ${id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        'transactional', 'x', 'delivered', 0, now(), now(), now()
      from generate_series(1, ${mostCounted + 1}::int) n returning id
    )
    insert into message_contents (business_id, message_id, created_at)
    select ${id}, id, now() from old
  `)
  const caller = callerIn({ db: database.db, clock }, id)
  const { messages } = await caller.get<{ messages: object }>(
    retentionPreview({ historyMonths: null }),
    {},
  )
  assert.deepEqual(messages, { months: 6, deletes: mostCounted, more: true })
})
