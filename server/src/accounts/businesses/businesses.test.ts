import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import { setBusiness } from '../settings/settings.ts'
import { createBusiness } from './create.ts'
import { businessesOf } from './membership-queries.ts'
import { addMember } from './memberships.ts'
import { allBusinesses } from './overview.ts'
import { senderProfileOf } from './sender-profile.ts'
import { tierLimits } from './tiers.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00Z')
let people = 0

async function person(): Promise<Id<'user'>> {
  const id = newId('user')
  const email = `person${++people}@example.com`
  await database.db.run(
    sql`insert into users (id, email, created_at) values (${id}, ${email}, ${now})`,
  )
  return id
}

async function business(ownerId: Id<'user'>, tier: Tier = 'scale', name = 'Brindlequay') {
  const id = await database.db.tx((tx) => createBusiness(tx, { name, ownerId, tier, now }))
  return id
}

const add = (id: Id<'business'>, userId: Id<'user'>, role: 'owner' | 'admin' | 'viewer') =>
  database.db.tx((tx) => addMember(tx, id, { userId, role, now }))

const set = (id: Id<'business'>, key: string, value: string) =>
  setBusiness(database.db, id, { key, value, now })

test('the user who creates a business is its owner', async () => {
  const owner = await person()
  const id = await business(owner)
  assert.deepEqual(await businessesOf(database.db, owner), [
    { id, name: 'Brindlequay', role: 'owner' },
  ])
})

test('a business with an invalid name is refused, and no row is left', async () => {
  const owner = await person()
  for (const name of ['', '   ', 'a'.repeat(101), 'bell\u0007']) {
    const made = await orRefusal(() =>
      database.db.tx((tx) => createBusiness(tx, { name, ownerId: owner, tier: 'free', now })),
    )
    assert.ok(isRefusal(made), JSON.stringify(name))
  }
  assert.deepEqual(await businessesOf(database.db, owner), [])
})

test('a member beyond the tier’s limit is refused, with the tier that has room', async () => {
  const id = await business(await person(), 'free')
  assert.equal(await add(id, await person(), 'viewer'), 'viewer')
  const newcomer = await person()
  const refused = await orRefusal(() => add(id, newcomer, 'viewer'))
  assert.ok(isRefusal(refused))
  assert.equal(refused.code, 'tier_required')
  assert.deepEqual(refused.details.data, { tier: 'growth' })
})

test('when many members are added at once, only as many are added as the tier allows', async () => {
  const id = await business(await person(), 'free')
  const newcomers = await Promise.all(Array.from({ length: 6 }, person))
  const answers = await Promise.all(
    newcomers.map((userId) => orRefusal(() => add(id, userId, 'viewer'))),
  )
  assert.equal(answers.filter((answer) => answer === 'viewer').length, 1)
})

test('a member of a full business can be given another role', async () => {
  const id = await business(await person(), 'free')
  const member = await person()
  await add(id, member, 'viewer')
  assert.equal(await add(id, member, 'admin'), 'admin')
  assert.equal((await businessesOf(database.db, member))[0]?.role, 'admin')
})

test('the last owner of a business stays owner, even if two owners step down at once', async () => {
  const [first, second] = [await person(), await person()]
  const id = await business(first)
  const alone = await orRefusal(() => add(id, first, 'viewer'))
  assert.ok(isRefusal(alone) && alone.code === 'conflict')
  await add(id, second, 'owner')
  const both = await Promise.all(
    [first, second].map((member) => orRefusal(() => add(id, member, 'viewer'))),
  )
  assert.equal(both.filter((outcome) => isRefusal(outcome)).length, 1)
})

test('settings are stored normalised: time zones and languages in their standard spelling', async () => {
  const id = await business(await person())
  assert.equal(await set(id, 'name', '  Fennoway   Yoga '), 'name')
  assert.equal(await set(id, 'tier', 'growth'), 'tier')
  assert.equal(await set(id, 'time_zone', 'europe/paris'), 'time_zone')
  assert.equal(await set(id, 'language', 'pt-br'), 'language')
  assert.equal(await set(id, 'postal_address', ' 1 High St\r\nLeeds '), 'postal_address')
  const stored = (await allBusinesses(database.db)).find((allBusiness) => allBusiness.id === id)
  assert.deepEqual(stored, {
    id,
    name: 'Fennoway Yoga',
    tier: 'growth',
    timeZone: 'Europe/Paris',
    language: 'pt-BR',
    postalAddress: '1 High St\nLeeds',
    createdAt: now,
    closedAt: null,
    members: 1,
  })
})

test('the sender and the tracking of opens and clicks are set for each business', async () => {
  const id = await business(await person())
  await set(id, 'sender', " Ana's Shop  <hello@Shop.example> ")
  assert.equal((await senderProfileOf(database.db, id))?.sender, "Ana's Shop <hello@Shop.example>")
  await set(id, 'sender', '')
  assert.equal((await senderProfileOf(database.db, id))?.sender, null)
  await set(id, 'track_opens', 'no')
  const row = await database.db.one(sql`
    select track_opens, track_clicks from businesses where id = ${id}
  `)
  assert.deepEqual(row, { track_opens: false, track_clicks: true })
})

test('an invalid setting is refused with a message that says what is valid', async () => {
  const id = await business(await person())
  const wrong: [key: string, value: string, words: RegExp][] = [
    ['shade', 'blue', /name, tier, time_zone, language, postal_address/],
    ['tier', 'gold', /free, growth, scale/],
    ['time_zone', 'Mars/Base', /Europe\/Paris/],
    ['time_zone', '+02:00', /Europe\/Paris/],
    ['language', 'english please', /pt-BR/],
    ['name', '', /1 to 100/],
    ['postal_address', 'x'.repeat(501), /500/],
    ['sender', 'nobody', /ana@example.com/],
    ['sender', `${'x'.repeat(300)} <a@b.example>`, /300/],
    ['track_opens', 'maybe', /yes or no/],
  ]
  for (const [key, value, words] of wrong) {
    const refused = await orRefusal(() => set(id, key, value))
    assert.ok(isRefusal(refused), key)
    assert.match(refused.message, words)
  }
  const missing = await orRefusal(() => set(newId('business'), 'name', 'x'))
  assert.ok(isRefusal(missing) && missing.code === 'not_found')
})

test('each tier allows at least as much as the tier below it', () => {
  const room = (limit: number | null) => limit ?? Infinity
  for (const [lower, higher] of [
    ['free', 'growth'],
    ['growth', 'scale'],
  ] as const) {
    for (const [key, limit] of Object.entries(tierLimits[lower])) {
      assert.ok(
        room(limit) <= room(tierLimits[higher][key as keyof (typeof tierLimits)[Tier]]),
        key,
      )
    }
  }
})
