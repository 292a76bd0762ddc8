import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, someOrigin } from '../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { emitAll, type FanOutPayload, fanOutJob, type NewEvent } from './emit.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00.123Z')

function submitted(businessId: Id<'business'>): NewEvent {
  return {
    businessId,
    type: 'form.submitted',
    data: {
      submission_id: formatId('submission', newId('submission')),
      form_id: formatId('form', newId('form')),
      contact_id: formatId('contact', newId('contact')),
      fields: { email: 'ada@example.com', 'name "quoted"': 'Ada ☃' },
      source_url: 'https://example.com/join',
    },
  }
}

function jobsOf(businessId: Id<'business'>): Promise<{ payload: FanOutPayload }[]> {
  return database.db.all(sql`
    select payload from jobs where kind = ${fanOutJob} and payload::text like ${`%${businessId}%`}
  `)
}

test('the event body has the contract’s keys: id, type, created_at, business_id, data', async () => {
  const businessId = await newBusiness(database.db)
  const event = submitted(businessId)
  await database.db.tx((tx) => emitAll(tx, [event], now))
  const row = await database.db.one<{ id: Id<'event'>; body: string }>(
    sql`select id, body from events where business_id = ${businessId}`,
  )
  assert.equal(
    row.body,
    JSON.stringify({
      id: formatId('event', row.id),
      type: 'form.submitted',
      created_at: '2026-11-20T10:00:00.123Z',
      business_id: formatId('business', businessId),
      data: event.data,
    }),
  )
})

test('the connection and request of an event are stored on its row, but not in its body', async () => {
  const businessId = await newBusiness(database.db)
  const origin = someOrigin()
  await database.db.tx((tx) => emitAll(tx, [{ ...submitted(businessId), origin }], now))
  const row = await database.db.one<{ connection: string; call: Id<'request'>; body: string }>(
    sql`select connection_id as connection, call_id as call, body from events
      where business_id = ${businessId}`,
  )
  assert.equal(row.connection, origin.connectionId)
  assert.equal(formatId('request', row.call), origin.callId)
  assert.ok(!row.body.includes(origin.callId))
})

test('the queued fan-out job lists the events in their order', async () => {
  const businessId = await newBusiness(database.db)
  await database.db.tx((tx) => emitAll(tx, [submitted(businessId), submitted(businessId)], now))
  const ids = await database.db.all<{ id: string }>(
    sql`select id from events where business_id = ${businessId} order by id`,
  )
  const events = ids.map(({ id }) => [businessId, id, 'form.submitted'])
  assert.deepEqual(await jobsOf(businessId), [
    { payload: { created_at: now.toISOString(), events } },
  ])
})

test('events of several businesses in one flush share one fan-out job', async () => {
  const [one, two] = [await newBusiness(database.db), await newBusiness(database.db)]
  await database.db.tx((tx) => emitAll(tx, [submitted(one), submitted(two)], now))
  const [job, ...more] = await jobsOf(one)
  assert.deepEqual(
    job?.payload.events.map(([businessId]) => businessId),
    [one, two],
  )
  assert.deepEqual(more, [])
})

test('thousands of events are split over several fan-out jobs, and none is lost', async () => {
  const businessId = await newBusiness(database.db)
  const events = Array.from({ length: 2500 }, () => submitted(businessId))
  await database.db.tx((tx) => emitAll(tx, events, now))
  const jobs = await jobsOf(businessId)
  assert.deepEqual(
    jobs.map((job) => job.payload.events.length).toSorted((a, b) => a - b),
    [500, 1000, 1000],
  )
})

test('an event emitted in a rolled-back transaction is not stored', async () => {
  const businessId = await newBusiness(database.db)
  await assert.rejects(
    database.db.tx(async (tx) => {
      await emitAll(tx, [submitted(businessId)], now)
      throw new Error('broken')
    }),
  )
  const left = await database.db.all(sql`select 1 from events where business_id = ${businessId}`)
  assert.deepEqual([left, await jobsOf(businessId)], [[], []])
})
