import assert from 'node:assert/strict'
import test, { afterEach, beforeEach } from 'node:test'
import { testVault } from '../../../../../tests/support/clients/authorization.ts'
import { type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { setupLink } from '../../../accounts/sign-in/setup.ts'
import { sql } from '../../../lib/db/db.ts'
import { minutes } from '../../../lib/time/clock.ts'

let database: TestDatabase
let world: PagesWorld
let path: string
beforeEach(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db)
  const deps = { db: database.db, vault: testVault }
  path = new URL((await setupLink(deps, world.config, world.clock.now())) ?? '').pathname
})
afterEach(() => database.drop())

const typed = { email: 'ana@example.com', business: 'Blue <Bottle>' }

test('the printed set-up link creates the first user and signs them in', async () => {
  const visitor = world.visitor()
  const done = await visitor.submit(await visitor.get(path), typed)
  assert.deepEqual([done.status, done.to], [303, '/b'])
  const shown = await visitor.get('/account/invitations')
  assert.equal(shown.status, 200)
  assert.match(shown.body, /ana@example\.com/)
})

test('viewing the set-up page does not use the link, and finishing does', async () => {
  const visitor = world.visitor()
  for (let i = 0; i < 3; i++) assert.equal((await visitor.get(path)).status, 200)
  const page = await visitor.get(path)
  await visitor.submit(page, typed)
  assert.equal((await world.visitor().get(path)).status, 410)
  const again = await visitor.submit(page, { ...typed, email: 'eve@example.com' })
  assert.equal(again.status, 410)
})

test('an invalid field is marked as invalid, and the other input is kept', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(path)
  const address = await visitor.submit(page, { ...typed, email: 'nope' })
  assert.equal(address.status, 400)
  assert.match(address.body, /id="email"[^>]*value="nope" aria-invalid="true"/s)
  assert.match(address.body, /value="Blue &lt;Bottle&gt;"/)
  const name = await visitor.submit(page, { ...typed, business: '  ' })
  assert.equal(name.status, 400)
  assert.match(name.body, /id="business"[^>]*aria-invalid="true"/s)
})

test('the set-up link is refused after half an hour, and from another site', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(path)
  assert.equal((await visitor.submit(page, typed, { origin: 'https://evil.example' })).status, 403)
  world.clock.forward(minutes(30))
  assert.equal((await visitor.get(path)).status, 410)
  assert.equal((await visitor.submit(page, typed)).status, 410)
})

test('the set-up names the business, and asks for optional postal address and sender', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(path)
  const needs = { postal_address: '1 High St\nLeeds', sender: 'hello@shop.example' }
  const wrong = await visitor.submit(page, { ...typed, ...needs, sender: 'nobody' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body, /id="sender"[^>]*value="nobody" aria-invalid="true"/s)
  assert.match(wrong.body, /1 High St\nLeeds<\/textarea>/)
  assert.equal((await visitor.submit(page, { ...typed, ...needs })).status, 303)
  const [business] = await database.db.all(sql`select name, postal_address, sender from businesses`)
  assert.deepEqual(business, { name: typed.business, ...needs })
})
