import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { type Reservation, release, reserve, standingMetrics } from './reserve.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const november = new Date('2026-11-20T10:00:00Z')
const december = new Date('2026-12-02T10:00:00Z')

type Wanted = Partial<Reservation> & { businessId: Id<'business'> }

function take(wanted: Wanted[], now = november): Promise<number[]> {
  return database.db.tx((tx) =>
    reserve(
      tx,
      wanted.map((entry) => ({
        metric: 'contacts' as const,
        amount: 1,
        tier: 'free' as const,
        partial: true,
        ...entry,
      })),
      now,
    ),
  )
}

async function standing(businessId: Id<'business'>): Promise<number> {
  const { n } = await database.db.one<{ n: number }>(
    sql`select coalesce(sum(amount), 0)::bigint as n from usage_standing
      where business_id = ${businessId} and metric = 'contacts'`,
  )
  return n
}

async function thresholdEvents(businessId: Id<'business'>): Promise<object[]> {
  const rows = await database.db.all<{ body: string }>(
    sql`select body from events where business_id = ${businessId} order by body::json->'data'->>'month',
      (body::json->'data'->>'threshold')::int`,
  )
  return rows.map(({ body }) => JSON.parse(body).data)
}

test('64 simultaneous reservations against a limit of 500 end at exactly 500', async () => {
  const businessId = await newBusiness(database.db)
  const granted = await Promise.all(
    Array.from({ length: 64 }, (_, i) => take([{ businessId, amount: 1 + (i % 17) }])),
  )
  assert.equal(
    granted.flat().reduce((sum, n) => sum + n, 0),
    500,
  )
  assert.equal(await standing(businessId), 500)
})

test('reservations in one batch are granted in order, and an all-or-nothing one only if it fits', async () => {
  const businessId = await newBusiness(database.db)
  const granted = await take([
    { businessId, amount: 490 },
    { businessId, amount: 20, partial: false },
    { businessId, amount: 4, partial: false },
    { businessId, amount: 20 },
    { businessId, amount: 1 },
  ])
  assert.deepEqual(granted, [490, 0, 4, 6, 0])
  assert.equal(await standing(businessId), 500)
})

test('an amount that comes in units is granted only in whole units', async () => {
  const businessId = await newBusiness(database.db)
  const texts = { businessId, metric: 'emails' as const, each: 3 }
  assert.deepEqual(await take([{ ...texts, amount: 1_200 }]), [999])
  assert.deepEqual(await take([{ ...texts, amount: 3 }]), [0])
})

test('businesses and metrics in one batch are counted separately', async () => {
  const [one, two] = [await newBusiness(database.db), await newBusiness(database.db)]
  await take([{ businessId: one, amount: 499 }])
  const granted = await take([
    { businessId: one, amount: 2 },
    { businessId: two, amount: 2 },
    { businessId: one, metric: 'sms' },
    { businessId: one, metric: 'emails', amount: 2000, partial: true },
  ])
  assert.deepEqual(granted, [1, 2, 0, 1000])
})

test('without a limit every reservation is granted and counted', async () => {
  const businessId = await newBusiness(database.db)
  assert.deepEqual(await take([{ businessId, amount: 1_000_000, tier: 'scale' }]), [1_000_000])
  assert.equal(await standing(businessId), 1_000_000)
})

test('a business above a lowered limit keeps its usage and is granted no more', async () => {
  const businessId = await newBusiness(database.db)
  await take([{ businessId, amount: 600, tier: 'growth' }])
  assert.deepEqual(await take([{ businessId }]), [0])
  assert.equal(await standing(businessId), 600)
})

test('a monthly limit resets with the month, and a standing limit does not', async () => {
  const businessId = await newBusiness(database.db)
  const emails = { businessId, metric: 'emails' as const, amount: 1001 }
  assert.deepEqual(await take([emails]), [1000])
  assert.deepEqual(await take([emails]), [0])
  assert.deepEqual(await take([emails], december), [1000])
  await take([{ businessId, amount: 500 }])
  assert.deepEqual(await take([{ businessId }], december), [0])
})

test('a usage threshold is announced once per month, metric and step, however often it is crossed', async () => {
  const businessId = await newBusiness(database.db)
  const emails = { businessId, metric: 'emails' as const }
  await take([{ ...emails, amount: 499 }])
  assert.deepEqual(await thresholdEvents(businessId), [])
  await take([emails])
  await database.db.tx((tx) => release(tx, [{ ...emails, amount: 1 }], november))
  await take([emails])
  const fifty = { metric: 'emails', threshold: 50, used: 500, limit: 1000, tier: 'free' }
  assert.deepEqual(await thresholdEvents(businessId), [{ ...fifty, month: '2026-11-01' }])
  await take([{ ...emails, amount: 500 }], december)
  assert.deepEqual(await thresholdEvents(businessId), [
    { ...fifty, month: '2026-11-01' },
    { ...fifty, month: '2026-12-01' },
  ])
})

test('one reservation that crosses several thresholds announces each of them', async () => {
  const businessId = await newBusiness(database.db)
  await take([{ businessId, metric: 'emails', amount: 9999 }])
  const events = (await thresholdEvents(businessId)) as { threshold: number; used: number }[]
  assert.deepEqual(
    events.map(({ threshold, used }) => [threshold, used]),
    [
      [50, 1000],
      [80, 1000],
      [100, 1000],
    ],
  )
})

test('simultaneous reservations announce each threshold once', async () => {
  const businessId = await newBusiness(database.db)
  await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      take([{ businessId, metric: 'emails', amount: 1 + (i % 40) }]),
    ),
  )
  const events = (await thresholdEvents(businessId)) as { threshold: number }[]
  assert.deepEqual(
    events.map(({ threshold }) => threshold),
    [50, 80, 100],
  )
})

test('standing counts announce no threshold: they belong to no month', async () => {
  const businessId = await newBusiness(database.db)
  for (const metric of standingMetrics) await take([{ businessId, metric, amount: 9999 }])
  assert.deepEqual(await thresholdEvents(businessId), [])
})

test('released usage can be reserved again, and no more is released than was reserved', async () => {
  const businessId = await newBusiness(database.db)
  await take([{ businessId, amount: 500 }])
  await database.db.tx((tx) =>
    release(
      tx,
      [
        { businessId, metric: 'contacts', amount: 2 },
        { businessId, metric: 'contacts', amount: 3 },
      ],
      november,
    ),
  )
  assert.deepEqual(await take([{ businessId, amount: 9 }]), [5])
  await database.db.tx((tx) =>
    release(tx, [{ businessId, metric: 'contacts', amount: 9000 }], november),
  )
  assert.equal(await standing(businessId), 0)
})

test('a rolled-back transaction reserves nothing and announces nothing', async () => {
  const businessId = await newBusiness(database.db)
  await assert.rejects(
    database.db.tx(async (tx) => {
      await reserve(
        tx,
        [{ businessId, metric: 'emails', amount: 800, tier: 'free', partial: false }],
        november,
      )
      throw new Error('broken')
    }),
  )
  assert.deepEqual(await take([{ businessId, metric: 'emails', amount: 1000 }]), [1000])
})

test('usage is stored for each day', async () => {
  const businessId = await newBusiness(database.db)
  await take([{ businessId, amount: 3 }])
  await take([{ businessId, amount: 2 }], december)
  const days = await database.db.all(
    sql`select day::text, amount from usage_days where business_id = ${businessId} order by day`,
  )
  assert.deepEqual(days, [
    { day: '2026-11-20', amount: 3 },
    { day: '2026-12-02', amount: 2 },
  ])
})
