import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { createVault, randomToken } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import { addSecret, keepSecret, openVault } from './root-key.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const now = new Date()
const markOf = async (secret: string) =>
  (await openVault(database.db, secret, now)).hmac('suppression', 'ana@example.com').toString('hex')
const wrong = { name: 'StartError', message: /not the one that this database was set up with/ }

test('the first secret sets up the installation, even in concurrent starts, and another secret is refused', async () => {
  const secret = randomToken()
  const marks = await Promise.all(Array.from({ length: 8 }, () => markOf(secret)))
  assert.equal(new Set(marks).size, 1)
  assert.equal(await markOf(secret), marks[0])
  await assert.rejects(markOf(randomToken()), wrong)
  const plain = createVault(secret).hmac('suppression', 'ana@example.com').toString('hex')
  assert.notEqual(plain, marks[0], 'keys do not hang on the secret itself')
})

test('a new secret opens the same data as the first one, until the first one is removed', async () => {
  const [first, next] = [randomToken(), randomToken()]
  const mark = await markOf(first)
  await addSecret(database.db, { secret: first, next }, now)
  assert.deepEqual([await markOf(first), await markOf(next)], [mark, mark])
  assert.equal(await keepSecret(database.db, next, now), 1)
  assert.equal(await markOf(next), mark)
  await assert.rejects(markOf(first), wrong)
  assert.equal(await keepSecret(database.db, next, now), 0)
})

test('an installation older than root keys keeps the keys of its secret, and refuses another secret', async () => {
  const secret = randomToken()
  const context = 'signing_keys:abc'
  const sealed = createVault(secret).seal(context, Buffer.from('key')).toString('base64')
  const value = { seals: [], sample: { context, sealed } }
  await database.db.run(sql`
    insert into installation (key, value, updated_at)
    values ('root-key', ${JSON.stringify(value)}::jsonb, ${now})
  `)
  await assert.rejects(markOf(randomToken()), wrong)
  const before = createVault(secret).hmac('suppression', 'ana@example.com').toString('hex')
  assert.deepEqual([await markOf(secret), await markOf(secret)], [before, before])
  await assert.rejects(markOf(randomToken()), wrong)
})
