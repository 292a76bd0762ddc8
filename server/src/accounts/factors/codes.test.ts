/** One-time and recovery codes as an attacker tries them, and as their owner uses them. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { codeAt } from '../../../../tests/support/clients/one-time-codes.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import { insertUser } from '../members/user-queries.ts'
import { addApp, shownSecret, startApp } from './authenticator-app.ts'
import { limitGuesses, makeRecoveryCodes, stepOf, takeCode } from './codes.ts'
import { ownFactors, recoveryCodesLeft, removeFactors } from './factor.ts'
import type { FactorNotice } from './notice.ts'
import { checkFactorLeft } from './own-factor.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const start = new Date('2026-11-29T09:00:00Z')
const at = (ms: number) => new Date(start.getTime() + ms)
const notices: FactorNotice[] = []
const deps = () => ({
  db: database.db,
  vault: testVault,
  notices: { queue: async (_tx: unknown, notice: FactorNotice) => void notices.push(notice) },
})

/** A person with an authenticator app, which was added a minute before. */
async function somebody() {
  const userId = newId('user')
  await insertUser(database.db, { id: userId, email: `${userId}@example.com`, now: start })
  const added = at(-minutes(1))
  const { db } = database
  const secret = Buffer.from(
    await db.tx((tx) => startApp(tx, testVault, { userId, now: added })),
    'base64url',
  )
  const codes = await db.tx((tx) =>
    addApp(tx, deps(), { userId, code: codeAt(secret, added), now: added }),
  )
  assert.equal(codes?.length, 10)
  return { userId, secret, codes }
}

/** What a typed code counts as, or why it does not. */
async function typed(
  userId: Awaited<ReturnType<typeof somebody>>['userId'],
  code: string,
  now = start,
) {
  const outcome = await orRefusal(() =>
    limitGuesses(deps(), { userId, now }, () =>
      database.db.tx((tx) => takeCode(tx, deps(), { userId, code, now })),
    ),
  )
  return isRefusal(outcome) ? (outcome.details.data?.['reason'] ?? outcome.code) : outcome
}

const wrong = 'wrong_factor_code'

test('a code is that of RFC 6238, and counts in its period and in the ones beside it', async () => {
  const secret = Buffer.from('12345678901234567890')
  assert.equal(codeAt(secret, new Date(seconds(59))), '287082')
  assert.equal(await stepOf(secret, '287082', new Date(seconds(59))), 1)
  for (const [second, step] of [
    [0, 1],
    [89, 1],
    [90, undefined],
  ] as const) {
    assert.equal(await stepOf(secret, '287082', new Date(seconds(second))), step, `${second} s`)
  }
})

test('the address in the QR code names the service, the person and the secret', async () => {
  const { uri, secret, qr } = await shownSecret(Buffer.from('12345678901234567890'), 'a@b.example')
  assert.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const url = new URL(uri)
  assert.equal(decodeURIComponent(url.pathname), '/Crier:a@b.example')
  assert.equal(url.searchParams.get('secret'), secret)
  assert.match(qr, /^<svg /)
})

test('a code counts once, also at the same moment, and never one before it', async () => {
  const { userId, secret } = await somebody()
  const code = codeAt(secret, start)
  const outcomes = await Promise.all([1, 2, 3].map(() => typed(userId, code)))
  assert.equal(outcomes.filter((outcome) => outcome === 'code').length, 1)
  assert.equal(await typed(userId, codeAt(secret, at(-seconds(30)))), wrong)
  assert.equal(await typed(userId, codeAt(secret, at(seconds(30))), at(seconds(30))), 'code')
})

test('the secret is sealed for its person, and the app of another gives no code', async () => {
  const [one, another] = [await somebody(), await somebody()]
  const { secret } = await database.db.one<{ secret: Buffer }>(sql`
    select secret from authenticator_apps where user_id = ${one.userId}
  `)
  assert.ok(!secret.includes(one.secret))
  assert.equal(await typed(one.userId, codeAt(another.secret, start)), wrong)
})

test('five wrong codes in a quarter of an hour make the person wait, who is told; right ones do not count', async () => {
  const { userId, secret } = await somebody()
  const other = await somebody()
  for (let i = 0; i < 12; i++) {
    const now = at(seconds(30 * i))
    assert.equal(await typed(userId, codeAt(secret, now), now), 'code')
  }
  const from = at(minutes(10))
  notices.length = 0
  const guess = codeAt(secret, from) === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) assert.equal(await typed(userId, guess, from), wrong)
  const right = codeAt(secret, at(minutes(10)))
  assert.equal(await typed(userId, right, from), 'rate_limited')
  assert.equal(await typed(userId, right, from), 'rate_limited')
  assert.deepEqual(
    notices.map(({ event }) => event),
    ['guessed'],
  )
  assert.equal(await typed(other.userId, codeAt(other.secret, from), from), 'code')
  const later = at(minutes(25))
  assert.equal(await typed(userId, codeAt(secret, later), later), 'code')
})

test('a burst of guesses at the same moment gets no more than five', async () => {
  const { userId } = await somebody()
  const guesses = Array.from({ length: 30 }, (_, i) => typed(userId, String(i).padStart(6, '0')))
  const outcomes = await Promise.all(guesses)
  assert.equal(outcomes.filter((outcome) => outcome === wrong).length, 5)
})

test('a recovery code counts once, however it is typed, and its person is told', async () => {
  const { userId, codes } = await somebody()
  const [first = '', second = ''] = codes ?? []
  notices.length = 0
  assert.equal(
    await typed(userId, ` ${first.toLowerCase().replaceAll('-', ' ')} `),
    'recovery_code',
  )
  assert.equal(await typed(userId, first), wrong)
  assert.deepEqual(
    notices.map(({ event }) => event),
    ['recovery_code_used'],
  )
  assert.equal(await recoveryCodesLeft(database.db, userId), 9)
  const another = await somebody()
  assert.equal(await typed(another.userId, second), wrong, 'of another person')
  await database.db.tx((tx) => makeRecoveryCodes(tx, testVault, { userId, now: start }))
  assert.equal(await typed(userId, second), wrong, 'replaced by new ones')
})

test('an app counts once its first code was sent, in time; until then the one before does', async () => {
  const { userId, secret } = await somebody()
  const { db } = database
  const begin = () => db.tx((tx) => startApp(tx, testVault, { userId, now: start }))
  const next = Buffer.from(await begin(), 'base64url')
  assert.equal(await typed(userId, codeAt(next, start)), wrong)
  assert.equal(await typed(userId, codeAt(secret, start)), 'code')
  const add = (now: Date) =>
    orRefusal(() => db.tx((tx) => addApp(tx, deps(), { userId, code: codeAt(next, now), now })))
  const late = await add(at(minutes(30)))
  assert.equal(isRefusal(late) && late.details.data?.['reason'], 'app_not_started')
  assert.equal(await add(at(minutes(29))), undefined, 'it makes no further recovery codes')
  const now = at(minutes(31))
  assert.equal(await typed(userId, codeAt(secret, now), now), wrong)
  assert.equal(await typed(userId, codeAt(next, now), now), 'code')
})

test('the last factor stays where one is required, and recovery codes go with it elsewhere', async () => {
  const { userId } = await somebody()
  const drop = (isRequired: boolean) =>
    orRefusal(() =>
      database.db.tx(async (tx) => {
        await tx.run(sql`delete from authenticator_apps where user_id = ${userId}`)
        await checkFactorLeft(tx, { userId, isRequired })
      }),
    )
  const refused = await drop(true)
  assert.equal(isRefusal(refused) && refused.details.data?.['reason'], 'last_factor')
  assert.equal((await ownFactors(database.db, userId)).hasApp, true)
  assert.equal(isRefusal(await drop(false)), false)
  assert.equal(await recoveryCodesLeft(database.db, userId), 0)
  await database.db.tx((tx) => removeFactors(tx, userId))
})
