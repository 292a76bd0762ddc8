import assert from 'node:assert/strict'
import test, { afterEach, beforeEach } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { createVault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import { minutes } from '../../lib/time/clock.ts'
import { membershipsOf } from '../businesses/memberships.ts'
import { readSession } from './session.ts'
import { finishWithFirstUser, readSetupLink, setupLink } from './setup.ts'
import { ensureUser } from './sign-up.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const clock = new ManualClock()
const vault = createVault('a secret of at least thirty-two characters')
const urls = { baseUrl: 'http://localhost:8080', appUrl: 'http://localhost:8080' }
const deps = () => ({ db: database.db, vault })
const start = () => setupLink(deps(), urls, clock.now())

async function tokenOfStart(): Promise<string> {
  const url = await start()
  assert.match(url ?? '', /^http:\/\/localhost:8080\/setup\/[A-Za-z0-9_-]{43}$/)
  return url?.split('/').at(-1) ?? ''
}

const finish = (token: string, email = 'Ana@Example.com', businessName = 'Brindlequay') =>
  finishWithFirstUser(deps(), { token, email, businessName, tier: 'scale', now: clock.now() })

test('the set-up link creates the first user with a business and a session, once', async () => {
  const token = await tokenOfStart()
  const session = await finish(token)
  const found = await readSession(database.db, session, clock.now())
  assert.equal(found?.session.user.email, 'ana@example.com')
  assert.ok(found)
  const [business] = await membershipsOf(database.db, found.session.user.id)
  assert.equal(business?.name, 'Brindlequay')
  assert.equal(business?.role, 'owner')
  const again = await orRefusal(() => finish(token, 'eve@example.com'))
  assert.ok(isRefusal(again) && again.code === 'gone')
  assert.equal(await start(), undefined, 'later starts print none')
})

test('concurrent starts print the same set-up link', async () => {
  const links = await Promise.all(Array.from({ length: 5 }, start))
  assert.equal(new Set(links).size, 1)
  const { made } = await database.db.one<{ made: number }>(
    sql`select count(*) as made from magic_links`,
  )
  assert.equal(made, 1)
})

test('a start extends a live set-up link; once it has expired, a start makes a new link', async () => {
  const first = await tokenOfStart()
  clock.forward(minutes(29))
  assert.equal(await tokenOfStart(), first)
  clock.forward(minutes(29))
  await readSetupLink(deps(), first, clock.now())
  clock.forward(minutes(1))
  const expired = await orRefusal(() => finish(first))
  assert.ok(isRefusal(expired) && /expired/.test(expired.message))
  assert.notEqual(await tokenOfStart(), first)
})

test('when several people use the set-up link at once, only one becomes the first user', async () => {
  const token = await tokenOfStart()
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => orRefusal(() => finish(token, `${name}@example.com`))),
  )
  assert.equal(answers.filter((answer) => !isRefusal(answer)).length, 1)
  const { users } = await database.db.one<{ users: number }>(
    sql`select count(*) as users from users`,
  )
  assert.equal(users, 1)
})

test('once any user exists, the set-up link is refused', async () => {
  const token = await tokenOfStart()
  await database.db.tx((tx) => ensureUser(tx, 'first@example.com', clock.now()))
  const refused = await orRefusal(() => finish(token))
  assert.ok(isRefusal(refused) && refused.code === 'gone')
  assert.equal(await start(), undefined)
})

test('an invalid email address or name is refused, and the set-up link stays valid', async () => {
  const token = await tokenOfStart()
  const address = await orRefusal(() => finish(token, 'nonsense'))
  assert.ok(isRefusal(address) && address.details.field === 'email')
  const name = await orRefusal(() => finish(token, 'ana@example.com', ' '))
  assert.ok(isRefusal(name) && name.details.field === 'name')
  await finish(token)
})

test('a link made for another purpose is refused as a set-up link', async () => {
  const token = await tokenOfStart()
  await database.db.run(sql`update magic_links set purpose = 'session'`)
  const refused = await orRefusal(() => finish(token))
  assert.ok(isRefusal(refused) && refused.code === 'not_found')
})
