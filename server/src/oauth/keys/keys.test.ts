import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { testVault } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { createVault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, minutes, seconds } from '../../lib/time/clock.ts'
import { createKeyRing } from './key-ring.ts'
import { rotateSigningKeys } from './keys.ts'

let database: TestDatabase
let clock: ManualClock
beforeEach(async () => {
  database = await testDatabase()
  clock = new ManualClock()
})
afterEach(() => database.drop())

const node = () => createKeyRing(database.db, testVault)
const rotate = () => rotateSigningKeys(database.db, testVault, clock.now())
const publishedKids = async () => (await node().published(clock.now())).keys.map((key) => key.kid)
const signingKid = async () => (await node().signing(clock.now())).kid

test('the first signing key signs at once and is published', async () => {
  const ring = node()
  const { kid } = await ring.signing(clock.now())
  const { keys } = await ring.published(clock.now())
  assert.equal(keys.length, 1)
  const { x, y, ...rest } = keys[0] ?? {}
  assert.deepEqual(rest, { kty: 'EC', crv: 'P-256', kid, alg: 'ES256', use: 'sig' })
  assert.ok(x && y)
})

test('ten nodes that start at once end up with one signing key', async () => {
  const kids = await Promise.all(
    Array.from({ length: 10 }, async () => (await node().signing(clock.now())).kid),
  )
  assert.equal(new Set(kids).size, 1)
  assert.deepEqual(await publishedKids(), [kids[0]])
})

test('nodes that rotate at once add one signing key', async () => {
  await signingKid()
  clock.forward(days(90))
  const added = await Promise.all(Array.from({ length: 10 }, rotate))
  assert.equal(added.filter(Boolean).length, 1)
  assert.equal((await publishedKids()).length, 2)
})

test('no signing key is added before the newest has signed for 90 days', async () => {
  await signingKid()
  clock.forward(days(90) - 1)
  assert.equal(await rotate(), false)
  clock.forward(1)
  assert.equal(await rotate(), true)
  assert.equal(await rotate(), false)
})

test('a key is published an hour before it signs and is removed when no token needs it', async () => {
  const first = await signingKid()
  clock.forward(days(90))
  await rotate()
  const [, second] = await publishedKids()
  assert.equal(await signingKid(), first)
  clock.forward(hours(1) - 1)
  assert.equal(await signingKid(), first)
  clock.forward(1)
  assert.equal(await signingKid(), second)

  // The last token of the first key lives an hour, and another hour allows for slow nodes.
  clock.forward(hours(2) - 1)
  await rotate()
  assert.deepEqual(await publishedKids(), [first, second])
  clock.forward(1)
  await rotate()
  assert.deepEqual(await publishedKids(), [second])
})

test('a running node learns of the next signing key before it signs', async () => {
  const running = node()
  const { kid } = await running.signing(clock.now())
  clock.forward(days(90))
  await rotate()
  clock.forward(minutes(6))
  const { keys } = await running.published(clock.now())
  assert.equal(keys.length, 2)
  assert.equal((await running.signing(clock.now())).kid, kid)
  clock.forward(hours(1))
  assert.equal((await running.signing(clock.now())).kid, keys[1]?.kid)
})

test('a node rereads the keys for an unknown key id, but not right after its last read', async () => {
  const running = node()
  await running.signing(clock.now())
  clock.forward(days(90))
  // This node is like another one that read the table just before the key was added.
  await running.published(clock.now())
  await rotate()
  const [, next] = await publishedKids()
  assert.ok(next)
  assert.equal(await running.verifying(next, clock.now()), undefined)
  clock.forward(seconds(10))
  assert.ok(await running.verifying(next, clock.now()))
  assert.equal(await running.verifying('nobody', clock.now()), undefined)
})

test('the private key is stored encrypted, and reading it with another secret names CRIER_SECRET', async () => {
  await signingKid()
  const { sealed } = await database.db.one<{ sealed: Buffer }>(
    sql`select sealed_private as sealed from signing_keys`,
  )
  assert.ok(!sealed.toString('latin1').includes('"d"'))
  const stranger = createKeyRing(database.db, createVault('another secret of 32 characters..'))
  await assert.rejects(stranger.signing(clock.now()), /CRIER_SECRET/)
  assert.ok(await stranger.published(clock.now()))
})
