import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { type OptOut, optOutsSince } from '../../contacts/opt-outs.ts'
import { liftSuppression } from '../../contacts/suppressions/lift.ts'
import { markOf } from '../../contacts/suppressions/suppression.ts'
import { sendingPause } from '../../core/installation/sending.ts'
import { sql } from '../../lib/db/db.ts'
import { fileLedger } from '../ledger/file.ts'
import { createLedger } from '../ledger/keep-ledger.ts'
import { packLines } from '../ledger/line-hashes.ts'
import { applyLaterOptOuts, makeSafe } from './make-safe.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const hour = 3_600_000
const year = 365 * 24 * hour

/** A database with people who have said no, and its ledger. */
async function installation(t: TestContext) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-safe-'))
  t.after(() => rm(folder, { recursive: true }))
  const { db, service } = testbed
  for (const table of ['suppressions', 'events', 'installation']) await emptied(table)
  const { hmac } = service.vault
  const businessId = await testbed.newBusiness('scale')
  const owner = await testbed.caller({ businesses: [businessId] })
  const ledger = fileLedger(path.join(folder, 'ledger.jsonl'))
  const keeper = createLedger({ db, hmac, log: silentLog, store: ledger })
  const consent = { email: { status: 'subscribed', source: 'a form' } }
  const add = (email: string) => owner.get('contact.upsert', { email, consent })
  const suppress = async (email: string) => {
    await owner.get('contact.suppress', { email })
    await keeper.catchUp()
  }
  const lift = (email: string) =>
    db.tx((tx) => liftSuppression(tx, businessId, markOf(hmac, businessId, email)))
  const suppressed = async () =>
    (await optOutsSince(db, hmac, new Date(0))).filter(({ kind }) => kind === 'suppressed').length
  return { db, hmac, owner, ledger, keeper, add, suppress, lift, suppressed }

  async function emptied(table: string): Promise<void> {
    const values = table === 'installation' ? ` where key in ('sending-paused', 'ledger-read')` : ''
    await db.run({ name: '', text: `delete from ${table}${values}`, values: [] })
  }
}

type Installation = Awaited<ReturnType<typeof installation>>

/** What the ledger had when the backup began, and then the state of that backup again. */
async function backupOf({ db, ledger }: Installation) {
  const seen = packLines(await ledger.read())
  const before = await db.all<{ mark: Buffer }>(sql`select address_hmac as mark from suppressions`)
  const marks = before.map(({ mark }) => mark)
  const restored = () =>
    db.run(sql`delete from suppressions where address_hmac <> all(${marks}::bytea[])`)
  return { seen, restored }
}

for (const [clock, aheadMs] of [
  ['a year ahead', year],
  ['two hours ahead', 2 * hour],
  ['right', 0],
] as const) {
  test(`opt-outs since a backup are applied where the clock of the newest event and of the backup was ${clock}`, async (t) => {
    const own = await installation(t)
    const { db, hmac, ledger, suppress, suppressed } = own
    await suppress('early@example.com')
    const { seen, restored } = await backupOf(own)
    const endedAt = new Date(Date.now() + aheadMs)
    await db.run(sql`update events set created_at = created_at + ${aheadMs} * interval '1 ms'`)
    await suppress('late@example.com')
    await suppress('later@example.com')
    await restored()
    assert.equal(await suppressed(), 1)
    // Some hours later, when the clock that was two hours ahead is no longer in the future.
    const now = new Date(Date.now() + 5 * hour)
    const { optOuts, point } = await makeSafe(db, { hmac, ledger, seen, endedAt, now })
    assert.deepEqual([optOuts, await suppressed()], [2, 3])
    assert.ok(point === null || point <= now)
  })
}

test('without a record of the ledger’s lines, no time that lies after now or after the backup decides', async (t) => {
  const own = await installation(t)
  const { db, hmac, ledger, suppress, suppressed } = own
  await suppress('early@example.com')
  const { restored } = await backupOf(own)
  await suppress('late@example.com')
  await restored()
  await db.run(sql`update events set created_at = created_at + interval '1 year'`)
  const later = new Date(Date.now() + 3 * hour)
  // As a database that other tools restored, and as an older backup with an end in the future.
  await makeSafe(db, { hmac, ledger, now: later })
  assert.equal(await suppressed(), 2)
  await restored()
  await makeSafe(db, { hmac, ledger, endedAt: new Date(Date.now() + year), now: later })
  assert.equal(await suppressed(), 2)
})

test('a suppression that was lifted, and a person who agreed again, are left alone', async (t) => {
  const own = await installation(t)
  const { db, hmac, owner, ledger, keeper, add, suppress, lift, suppressed } = own
  /** As the person's own confirmation leaves it. */
  const agreed = (email: string) =>
    db.run(sql`update contacts set email_consent = 'subscribed' where email = ${email}`)
  await add('again@example.com')
  await owner.get('contact.upsert', {
    email: 'again@example.com',
    consent: { email: { status: 'unsubscribed', source: 'by phone' } },
  })
  await agreed('again@example.com')
  await suppress('lifted@example.com')
  await lift('lifted@example.com')
  await keeper.catchUp()
  const { seen } = await backupOf(own)
  await add('between@example.com')
  await owner.get('contact.upsert', {
    email: 'between@example.com',
    consent: { email: { status: 'unsubscribed', source: 'by phone' } },
  })
  await agreed('between@example.com')
  await keeper.catchUp()
  // The archive led on to the end: the database has all of it.
  await makeSafe(db, { hmac, ledger, seen, endedAt: new Date(), now: new Date() })
  assert.equal(await suppressed(), 0)
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from contacts
    where email in ('again@example.com', 'between@example.com') and email_consent = 'subscribed'
  `)
  assert.equal(n, 2)
})

test('before sending starts the ledger is read once more, and what a person did meanwhile stays', async (t) => {
  const own = await installation(t)
  const { db, hmac, ledger, suppress, lift, suppressed } = own
  const { seen, restored } = await backupOf(own)
  await suppress('late@example.com')
  await restored()
  const now = new Date()
  await makeSafe(db, { hmac, ledger, seen, endedAt: now, now })
  assert.equal(await suppressed(), 1)
  await lift('late@example.com')
  // The installation that was thought to be lost writes on, by a clock that is years behind.
  const line = (await ledger.read()).find(({ kind }) => kind === 'suppressed')
  await ledger.append([
    { ...line, at: '2020-01-01T00:00:00.000Z', mark: 'ab'.repeat(32) } as OptOut,
  ])
  const pause = await sendingPause(db)
  assert.ok(pause)
  assert.equal(await applyLaterOptOuts(db, pause, { hmac, ledger, now }), 1)
  assert.equal(await suppressed(), 1)
  const { mark } = await db.one<{ mark: Buffer }>(
    sql`select address_hmac as mark from suppressions`,
  )
  assert.equal(mark.toString('hex'), 'ab'.repeat(32))
})

test('identity providers are not asked with the refresh tokens of a backup', async (t) => {
  const { db, hmac, ledger } = await installation(t)
  const { userId } = await db.one<{ userId: string }>(sql`
    select id as "userId" from users limit 1
  `)
  await db.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at, refresh_token,
      check_at, asked_at)
    values ('https://login.example', 'ana', ${userId}, now(), now(), 'sealed', now(), now())
  `)
  await makeSafe(db, { hmac, ledger, now: new Date() })
  const identity = await db.one(sql`
    select refresh_token as token, check_at as due, asked_at as asked from identities
    where subject = 'ana'
  `)
  assert.deepEqual(identity, { token: null, due: null, asked: null })
})
