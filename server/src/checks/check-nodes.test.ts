import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { pgbouncer, startPgbouncer } from '../../../tests/support/postgres/pgbouncer.ts'
import { missingPrograms } from '../../../tests/support/processes/debian-program.ts'
import { readConfig } from '../config.ts'
import { recordAddresses } from '../core/installation/addresses.ts'
import { openVault } from '../core/installation/root-key.ts'
import { randomToken } from '../lib/crypto/vault.ts'
import { addressesFinding, clockFinding, hearingFinding, sealFinding } from './check-nodes.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('a node whose public addresses differ from those of the last started node is reported', async () => {
  const { db } = database
  const config = readConfig({ BASE_URL: 'https://crier.example' })
  assert.equal((await addressesFinding(db, config)).outcome, 'ok')
  assert.equal(await recordAddresses(db, config, new Date()), undefined)
  assert.equal((await addressesFinding(db, config)).outcome, 'ok')
  const other = readConfig({ BASE_URL: 'https://other.example' })
  const { outcome, text } = await addressesFinding(db, other)
  assert.equal(outcome, 'warn')
  assert.match(text, /baseUrl is https:\/\/other\.example here, and was https:\/\/crier\.example/)
  assert.equal((await recordAddresses(db, other, new Date()))?.baseUrl, 'https://crier.example')
})

test('a secret of another installation is found before a start fails because of it', async () => {
  const { db } = database
  const config = { ...readConfig({}), secret: randomToken() }
  assert.equal((await sealFinding(db, config)).outcome, 'ok')
  await openVault(db, config.secret, new Date())
  assert.equal((await sealFinding(db, config)).outcome, 'ok')
  const { outcome, mend } = await sealFinding(db, { ...config, secret: randomToken() })
  assert.equal(outcome, 'fail')
  assert.match(mend ?? '', /CRIER_SECRET/)
})

test('the check compares the clock with the database’s', async (t) => {
  assert.equal((await clockFinding(database.db)).outcome, 'ok')
  const real = Date.now
  for (const [off, outcome] of [
    [600_000, 'fail'],
    [-5_000, 'warn'],
  ] as const) {
    const mock = t.mock.method(Date, 'now', () => real() + off)
    assert.equal((await clockFinding(database.db)).outcome, outcome)
    mock.mock.restore()
  }
})

test('how processes hear of one another is told, and what to set where they only look', async () => {
  const { db, connection } = database
  const heard = await hearingFinding(db, connection)
  assert.deepEqual([heard.outcome, heard.mend], ['ok', undefined])
  assert.match(heard.text, /^listening: /)
  const nobody = await hearingFinding(db, { ...connection, host: '127.0.0.1', port: 1 })
  assert.equal(nobody.outcome, 'warn')
  assert.match(nobody.text, /^polling: .*every half second .*; no connection .*\(ECONNREFUSED\)$/)
  assert.match(nobody.mend ?? '', /DATABASE_DIRECT_URL/)
  const other = await testDatabase()
  const elsewhere = await hearingFinding(db, other.connection)
  await other.drop()
  assert.match(elsewhere.text, /^polling: .*nothing arrives over DATABASE_DIRECT_URL$/)
  assert.match(elsewhere.mend ?? '', /same server and database/)
})

test('a pooler in between is named, with the setting that leads past it', {
  skip: missingPrograms(pgbouncer) ?? false,
}, async () => {
  const pooler = await startPgbouncer(database.connection)
  const connection = { connectionString: pooler.url }
  const found = await hearingFinding(database.db, connection)
  const backed = await hearingFinding(database.db, connection, { makesBackups: true })
  await pooler.stop()
  assert.equal(found.outcome, 'warn')
  assert.match(found.text, /a pooler is between$/)
  assert.match(found.mend ?? '', /^Set DATABASE_DIRECT_URL/)
  assert.equal(backed.outcome, 'fail')
  assert.match(backed.text, /over which no backup is made$/)
  assert.match(backed.mend ?? '', /^Set DATABASE_DIRECT_URL/)
})
