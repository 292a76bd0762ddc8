/** Which events are blanked of people whom retention deleted: many at once, silent since a moment. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { formatId, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Job } from '../lib/jobs/job.ts'
import { days, later } from '../lib/time/clock.ts'
import { contactJobs, forgetJob, type ToForget } from './erase.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const ago = (n: number) => later(clock.now(), -days(n))

/** Forgets so many contacts, and gives the days whose event about the last of them is blanked. */
async function blankedDays(contacts: number, silentSince?: Date): Promise<number[]> {
  const { db } = database
  const businessId = await newBusiness(db)
  const contactIds = Array.from({ length: contacts }, () => newId('contact'))
  const other = newId('contact')
  const kept = [1, 10, 20, 29]
  for (const day of kept) {
    for (const id of [contactIds.at(-1) ?? other, other]) {
      const body = JSON.stringify({ id: 'evt', data: { contact_id: formatId('contact', id) } })
      await db.run(sql`
        insert into events (business_id, id, type, body, created_at)
        values (${businessId}, ${newId('event')}, 'contact.updated', ${body}, ${ago(day)})
      `)
    }
  }
  const payload: ToForget = {
    businessId,
    contactIds,
    addresses: [],
    ...(silentSince && { silentSince: silentSince.toISOString() }),
  }
  const jobs = contactJobs({ db, clock, traces: [] })
  await jobs[forgetJob]?.run({ payload } as Job, new AbortController().signal)
  const rows = await db.all<{ at: Date; body: string; erased: boolean }>(sql`
    select created_at as at, body, erased_at is not null as erased from events
    where business_id = ${businessId} order by created_at desc
  `)
  const ofOther = rows.filter(({ body }) => body.includes(formatId('contact', other)))
  assert.equal(ofOther.filter(({ erased }) => !erased).length, kept.length, 'of somebody else')
  return rows
    .filter(({ erased }) => erased)
    .map(({ at, body }) => {
      assert.deepEqual((JSON.parse(body) as { data: object }).data, {})
      return Math.round((clock.now().getTime() - at.getTime()) / days(1))
    })
}

test('events about one contact and about many are blanked on every day that is kept', async () => {
  assert.deepEqual(await blankedDays(1), [1, 10, 20, 29])
  assert.deepEqual(await blankedDays(500), [1, 10, 20, 29])
})

test('of people silent for so long, only events are read that may still be about them', async () => {
  // Up to fourteen days after their last message something may have been told of it.
  assert.deepEqual(await blankedDays(500, ago(30)), [20, 29])
  assert.deepEqual(await blankedDays(500, ago(365)), [])
})
