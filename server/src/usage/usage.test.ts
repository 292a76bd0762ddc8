import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, reachOf } from '../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { isRefusal, orRefusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { BusinessContext, Tier } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { addUsage, overLimit, release, reserve } from './reserve.ts'
import { usageReport } from './usage.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Report {
  business_id: string
  month: string
  counters: { metric: string; used: number; limit: number | null; thresholds_crossed: number[] }[]
  first_month: string
  history: { day: string; metric: string; amount: number }[]
}

async function report(
  businessId: Id<'business'>,
  tier: Tier,
  now: Date,
  input: { month?: string } = {},
): Promise<Report> {
  const context = { db: database.db, now, business: reachOf(businessId, { tier }) }
  return (await usageReport(async () => []).run(
    context as unknown as BusinessContext,
    input,
  )) as Report
}

const day = (n: number) => new Date(`2026-11-${String(n).padStart(2, '0')}T12:00:00Z`)

test('a past month shows what was counted in it, and no month that is to come or is none', async () => {
  const businessId = await newBusiness(database.db, 'free')
  const count = (at: string, amount: number) =>
    addUsage(database.db, [{ businessId, metric: 'emails', day: at, amount }])
  await count('2026-09-30', 1)
  await count('2026-10-01', 20)
  await count('2026-10-31', 300)
  await count('2026-11-01', 4_000)
  const october = await report(businessId, 'free', day(20), { month: '2026-10' })
  assert.equal(october.month, '2026-10-01')
  assert.deepEqual(
    october.counters.map(({ metric, used }) => [metric, used]),
    [
      ['calls', 0],
      ['emails', 320],
      ['sms', 0],
    ],
  )
  assert.deepEqual(
    october.history.map((row) => row.day),
    ['2026-10-01', '2026-10-31'],
  )
  for (const month of ['2026-12', '2026-13', '2026-1', '202610', '0000-00', 'October', '']) {
    const refused = await orRefusal(() => report(businessId, 'free', day(20), { month }))
    assert.ok(isRefusal(refused), month)
  }
})

test('the first month is that of the business, or an earlier one that has counts', async () => {
  const { db } = database
  const businessId = await newBusiness(db, 'free')
  await db.run(sql`update businesses set created_at = ${day(2)} where id = ${businessId}`)
  const first = async () => (await report(businessId, 'free', day(20))).first_month
  assert.equal(await first(), '2026-11-01')
  await db.run(sql`
    insert into usage_months (business_id, metric, month, amount)
    values (${businessId}, 'emails', '2026-09-01', 5)
  `)
  assert.equal(await first(), '2026-09-01')
})

test('reserved usage is shown against its limit, with its days', async () => {
  const businessId = await newBusiness(database.db, 'free')
  const take = (metric: 'contacts' | 'emails', amount: number, n: number) =>
    database.db.tx((tx) =>
      reserve(tx, [{ businessId, metric, amount, tier: 'free', partial: false }], day(n)),
    )
  await take('contacts', 400, 3)
  await take('contacts', 20, 4)
  await take('emails', 500, 4)
  await database.db.tx((tx) => release(tx, [{ businessId, metric: 'contacts', amount: 5 }], day(5)))
  await addUsage(database.db, [{ businessId, metric: 'calls', day: '2026-11-04', amount: 7 }])
  await addUsage(database.db, [{ businessId, metric: 'calls', day: '2026-10-31', amount: 99 }])

  const { counters, history, month, business_id } = await report(businessId, 'free', day(20))
  assert.deepEqual([business_id, month], [formatId('business', businessId), '2026-11-01'])
  const line = (metric: string) => counters.find((counter) => counter.metric === metric)
  assert.deepEqual(line('contacts'), {
    metric: 'contacts',
    used: 415,
    limit: 500,
    per: 'standing',
    thresholds_crossed: [50, 80],
  })
  assert.deepEqual([line('emails')?.used, line('emails')?.thresholds_crossed], [500, [50]])
  assert.deepEqual([line('calls')?.used, line('calls')?.limit], [7, null])
  assert.deepEqual(history, [
    { day: '2026-11-03', metric: 'contacts', amount: 400 },
    { day: '2026-11-04', metric: 'calls', amount: 7 },
    { day: '2026-11-04', metric: 'contacts', amount: 20 },
    { day: '2026-11-04', metric: 'emails', amount: 500 },
    { day: '2026-11-05', metric: 'contacts', amount: -5 },
  ])
})

test('in a new month monthly counters start at zero and standing counters stay', async () => {
  const businessId = await newBusiness(database.db, 'free')
  await database.db.tx((tx) =>
    reserve(
      tx,
      [
        { businessId, metric: 'emails', amount: 9, tier: 'free', partial: false },
        { businessId, metric: 'contacts', amount: 8, tier: 'free', partial: false },
      ],
      day(20),
    ),
  )
  const { counters, history } = await report(businessId, 'free', new Date('2026-12-01T00:00:00Z'))
  const used = Object.fromEntries(counters.map((counter) => [counter.metric, counter.used]))
  assert.deepEqual([used['emails'], used['contacts'], history], [0, 8, []])
})

test('a refusal over a limit names the tier that allows more and shows the counters', () => {
  const refused = overLimit('contacts', 'free')
  assert.ok(isRefusal(refused))
  assert.equal(refused.code, 'tier_required')
  assert.match(refused.message, /allows 500 contacts.*growth allows more/)
  assert.deepEqual(refused.details.data, { tier: 'growth', metric: 'contacts', limit: 500 })
  assert.equal(overLimit('sms', 'growth').details.data?.['tier'], 'scale')
  assert.match(overLimit('emails', 'free').message, /1000 emails a month/)
})
