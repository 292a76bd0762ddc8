/** The links by which two mailboxes confirm another address, as a stranger and as their owner use them. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { callback, testVault } from '../../../../../tests/support/clients/authorization.ts'
import { type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import type { AddressAct } from '../../../accounts/addresses/address-words.ts'
import { addressToken } from '../../../accounts/addresses/change.ts'
import { addressGet } from '../../../accounts/addresses/get.ts'
import { insertUser, readEmail } from '../../../accounts/members/user-queries.ts'
import { startSession } from '../../../accounts/sign-in/session.ts'
import { type Id, newId } from '../../../core/ids.ts'
import { sql } from '../../../lib/db/db.ts'
import { days, hours, later } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
})
after(() => database.drop())

/** A person who has asked for another address, and the links of their mails; or the same one again. */
async function moving(before?: { userId: Id<'user'>; to: string }) {
  const { db } = database
  const now = world.clock.now()
  const [userId, id] = [before?.userId ?? newId('user'), newId('link')]
  const [from, to] = [before?.to ?? newPerson(), newPerson()]
  if (!before) await insertUser(db, { id: userId, email: from, now })
  await db.run(sql`
    insert into address_changes (id, user_id, old_email, new_email, asked_at, expires_at)
    values (${id}, ${userId}, ${from}, ${to}, ${now}, ${later(now, hours(24))})
  `)
  const link = (act: AddressAct) => `/address/${addressToken(testVault, { id, act })}`
  const press = async (act: AddressAct) => {
    const visitor = world.visitor()
    return visitor.submit(await visitor.get(link(act)))
  }
  return { userId, from, to, link, press, address: () => readEmail(db, userId) }
}

test('an address changes once both mailboxes have confirmed, in any order, and not before', async () => {
  for (const order of [
    ['old', 'new'],
    ['new', 'old'],
  ] as const) {
    const { from, to, press, address } = await moving()
    await press(order[0])
    assert.equal(await address(), from)
    await press(order[0])
    assert.equal(await address(), from, 'one mailbox twice is not two')
    assert.match((await press(order[1])).body, /was changed/)
    assert.equal(await address(), to)
  }
})

test('the person sees their address, and what a change waits for, until it is done, over or undone', async () => {
  const { userId, from, to, press } = await moving()
  const seen = async (now = world.clock.now()) => {
    const context = { db: database.db, principal: { userId }, now }
    return addressGet.run(context as never, {})
  }
  const change = (oldConfirmed: boolean, newConfirmed: boolean) => ({
    email: to,
    expires_at: later(world.clock.now(), hours(24)).toISOString(),
    old_confirmed: oldConfirmed,
    new_confirmed: newConfirmed,
  })
  assert.deepEqual(await seen(), { email: from, change: change(false, false) })
  assert.deepEqual(await seen(later(world.clock.now(), hours(24))), { email: from, change: null })
  await press('new')
  assert.deepEqual(await seen(), { email: from, change: change(false, true) })
  await press('old')
  assert.deepEqual(await seen(), { email: to, change: null })
  await press('undo')
  assert.deepEqual(await seen(), { email: from, change: null })
})

test('looking at a link changes nothing, and a form of another site neither', async () => {
  const { from, link, address } = await moving()
  const visitor = world.visitor()
  for (const act of ['old', 'new'] as const) {
    const page = await visitor.get(link(act))
    assert.equal((await visitor.submit(page, { form_key: 'x' })).status, 403)
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await visitor.submit(page, {}, evil)).status, 403)
  }
  assert.equal(await address(), from)
})

test('the old mailbox undoes it for 7 days, once, which ends all sessions', async () => {
  const { userId, from, to, press, address } = await moving()
  assert.equal((await world.visitor().get((await moving()).link('undo'))).status, 410, 'not yet')
  await press('old')
  await press('new')
  await startSession(database.db, userId, world.clock.now())
  world.clock.forward(days(7) - hours(1))
  assert.match((await press('undo')).body, /was undone/)
  assert.equal(await address(), from)
  const { count } = await database.db.one<{ count: number }>(sql`
    select count(*)::int as count from sessions where user_id = ${userId}
  `)
  assert.equal(count, 0)
  assert.ok(to)
  const late = await moving()
  await late.press('old')
  await late.press('new')
  world.clock.forward(days(7))
  assert.equal((await world.visitor().get(late.link('undo'))).status, 410)
})

test('undoing it ends what was set up since it was asked for, and nothing older', async () => {
  const person = await world.person()
  const client = { userId: person, clientId: await world.client(callback) }
  const passkey = async (credential: string) => {
    const id = newId('passkey')
    await database.db.run(sql`
      insert into passkeys (id, user_id, credential, public_key, counter, transports, name, created_at)
      values (${id}, ${person}, ${Buffer.from(credential)}, '\\x00', 0, '{}', 'One', ${world.clock.now()})
    `)
  }
  const identity = (subject: string) =>
    database.db.run(sql`
      insert into identities (issuer, subject, user_id, created_at, last_used_at)
      values ('https://login.example', ${subject}, ${person}, ${world.clock.now()}, ${world.clock.now()})
    `)
  const left = async () => {
    const { passkeys, identities, connections } = await database.db.one<Record<string, number>>(sql`
      select (select count(*) from passkeys where user_id = ${person})::int as passkeys,
        (select count(*) from identities where user_id = ${person})::int as identities,
        (select count(*) from connections where user_id = ${person} and revoked_at is null)::int
          as connections
    `)
    return [passkeys, identities, connections]
  }
  await world.connect(client)
  await passkey(`old ${person}`)
  await identity(`old ${person}`)
  world.clock.forward(hours(1))
  const change = await moving({ userId: person, to: (await readEmail(database.db, person)) ?? '' })
  await passkey(`new ${person}`)
  await identity(`new ${person}`)
  await change.press('old')
  await change.press('new')
  world.clock.forward(hours(1))
  await world.connect({ userId: person, clientId: await world.client(callback) })
  assert.deepEqual(await left(), [2, 2, 2])
  assert.match((await change.press('undo')).body, /was undone/)
  assert.deepEqual(await left(), [1, 1, 1])
})

test('an undone change takes those that followed with it, done and pending', async () => {
  const first = await moving()
  await first.press('old')
  await first.press('new')
  world.clock.forward(hours(1))
  const second = await moving(first)
  await second.press('old')
  await second.press('new')
  const third = await moving(first)
  await third.press('old')
  assert.match((await first.press('undo')).body, /was undone/)
  for (const link of [second.link('undo'), third.link('new')]) {
    assert.equal((await world.visitor().get(link)).status, 410)
  }
  assert.equal(await first.address(), first.from)
})

test('a change from an address that is no longer the person’s is refused', async () => {
  const first = await moving()
  const other = await moving({ userId: first.userId, to: first.from })
  await first.press('old')
  await first.press('new')
  await other.press('old')
  assert.equal((await other.press('new')).status, 410)
  assert.equal(await first.address(), first.to)
})

test('a link of one mailbox is none of the other, and made-up links are refused', async () => {
  const { link, from, address } = await moving()
  const [, token = ''] = /([^/]+)$/.exec(link('old')) ?? []
  for (const forged of [
    token.replace(/^old/, 'new'),
    token.replace(/^old/, 'undo'),
    `${token}x`,
    'old',
    'old.x.y',
    `old.${newId('link')}.${token.split('.')[2]}`,
  ]) {
    assert.equal((await world.visitor().get(`/address/${forged}`)).status, 404, forged)
  }
  assert.equal(await address(), from)
})

test('a link expires after 24 hours, and an address that was taken meanwhile stays its owner’s', async () => {
  const { link, press } = await moving()
  const taken = await moving()
  await insertUser(database.db, { id: newId('user'), email: taken.to, now: world.clock.now() })
  await taken.press('old')
  assert.equal((await taken.press('new')).status, 409)
  assert.equal(await taken.address(), taken.from)
  await press('old')
  world.clock.forward(hours(24))
  assert.equal((await world.visitor().get(link('new'))).status, 410)
})
