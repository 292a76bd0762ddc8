import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ana, ourNumber, placeOf, receiptOf, route } from '../../../tests/support/sms/replies.ts'
import { newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Job, serviceBusiness } from '../lib/jobs/job.ts'
import { lateReceiptDelays, lateReceiptJob, verdictOf } from './ingest-receipts.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function sent() {
  const place = placeOf(database.db)
  const shop = await place.business(ourNumber)
  const message = await place.texted(shop, ana, ourNumber)
  return { ...place, message }
}

/** The waiting jobs, as a worker gets them. */
async function lateJobs(db: Db, attempt = 1): Promise<Job[]> {
  const rows = await db.all<{ id: Job['id']; payload: unknown; dueAt: Date }>(sql`
    select id, payload, due_at as "dueAt" from jobs where kind = ${lateReceiptJob} order by id
  `)
  await db.run(sql`delete from jobs where kind = ${lateReceiptJob}`)
  const claimed = { claimedAt: new Date(), claims: 1, lost: [] }
  const held = {
    businessId: serviceBusiness,
    shard: 0,
    kind: lateReceiptJob,
    laneId: '',
    lease: '',
    capacity: 1,
    attempt,
    ...claimed,
  }
  return rows.map((row) => ({ ...held, ...row }))
}

test('a delivery receipt is reported for its message', async () => {
  const { replies, reports, message } = await sent()
  await replies.receipt(route, receiptOf(message))
  assert.deepEqual(
    reports.map(({ event, messageId, source }) => [event, messageId, source]),
    [['delivered', message, 'receipt of smpp']],
  )
})

test('a receipt that a text is on its way causes no report', async () => {
  const { replies, reports, message } = await sent()
  await replies.receipt(route, receiptOf(message, { state: 'accepted', final: false }))
  assert.deepEqual([reports, await lateJobs(database.db)], [[], []])
})

test('a failure is reported with the network’s code and text', async () => {
  const { replies, reports, message } = await sent()
  const failure = { state: 'failed', code: '001', words: 'stat:UNDELIV err:001' } as const
  await replies.receipt(route, receiptOf(message, failure))
  const [report] = reports
  assert.equal(report?.event, 'bounced')
  assert.equal(report?.words, failure.words)
  assert.deepEqual(report?.event === 'bounced' && report.verdict, {
    kind: 'hard',
    status: '001',
    final: true,
    slower: false,
  })
})

test('a failure is classified by the code table of the provider that reports it', () => {
  const kind = (at: string, changes: object) =>
    verdictOf(at, receiptOf(newId('message'), changes)).verdict.kind
  assert.equal(kind(route, { state: 'failed', code: '001' }), 'hard')
  assert.equal(kind(route, { state: 'failed', code: '027' }), 'soft')
  assert.equal(kind(route, { state: 'failed', code: '099' }), 'unknown')
  assert.equal(kind(route, { state: 'failed' }), 'unknown')
  assert.equal(kind(route, { state: 'expired', code: '001' }), 'soft')
  assert.equal(kind(route, { state: 'rejected', code: '001' }), 'unknown')
  assert.equal(kind('twilio:AC@host:443', { state: 'failed', code: '30005' }), 'hard')
  assert.equal(kind('twilio:AC@host:443', { state: 'rejected', code: '30007' }), 'policy')
})

test('Twilio’s 21610 is the person’s STOP, and says nothing about the number', async () => {
  const verdict = verdictOf(
    'twilio:AC@host:443',
    receiptOf(newId('message'), { state: 'failed', code: '21610' }),
  )
  assert.deepEqual([verdict.verdict.kind, verdict.hasStopped], ['unknown', true])
  const other = verdictOf(route, receiptOf(newId('message'), { state: 'failed', code: '21610' }))
  assert.deepEqual([other.verdict.kind, other.hasStopped], ['unknown', undefined])
})

test('a receipt that arrives before its message is recorded is retried later', async () => {
  const { replies, reports, message, clock } = await sent()
  const early = receiptOf(message, { providerId: `early-${message}` })
  await replies.receipt(route, early)
  assert.equal(reports.length, 0)
  const [job] = await lateJobs(database.db)
  assert.equal(job?.dueAt.getTime(), clock.now().getTime() + 1_000)
  await database.db.run(sql`
    update messages set taken_as = ${early.providerId} where id = ${message}`)
  assert.ok(job)
  const run = replies.kinds[lateReceiptJob]
  assert.deepEqual(await run?.run(job, AbortSignal.timeout(60_000)), { outcome: 'done' })
  assert.deepEqual(
    reports.map(({ at }) => at),
    [early.at],
  )
})

test('a receipt for an unknown message is dropped after the last retry', async () => {
  const { replies, reports } = await sent()
  await replies.receipt(route, receiptOf(newId('message')))
  for (let attempt = 1; attempt <= lateReceiptDelays.length + 1; attempt++) {
    if (attempt > 1) await replies.receipt(route, receiptOf(newId('message')))
    const [job] = await lateJobs(database.db, attempt)
    assert.ok(job)
    const verdict = await replies.kinds[lateReceiptJob]?.run(job, AbortSignal.timeout(60_000))
    const last = attempt > lateReceiptDelays.length
    assert.equal(verdict?.outcome, last ? 'done' : 'retry')
  }
  assert.deepEqual(reports, [])
})

test('the same provider id on another route does not match the message', async () => {
  const { replies, reports, message } = await sent()
  await replies.receipt('smpp:elsewhere', receiptOf(message))
  assert.deepEqual(reports, [])
  await lateJobs(database.db)
})
