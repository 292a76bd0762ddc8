import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { applyOptOuts, type OptOut, optOutsSince } from '../../contacts/opt-outs.ts'
import { keepComplaint } from '../../contacts/suppressions/lift.ts'
import { markOf } from '../../contacts/suppressions/suppression.ts'
import { sql } from '../../lib/db/db.ts'
import { fileLedger } from './file.ts'
import { createLedger } from './keep-ledger.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const beginning = new Date(0)

async function three() {
  const businessId = await testbed.newBusiness('scale')
  const owner = await testbed.caller({ businesses: [businessId] })
  const add = async (email: string) => {
    const consent = { email: { status: 'subscribed', source: 'a test' } }
    const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
      email,
      consent,
    })
    return { contact_id, email }
  }
  const [a, b, c] = [
    await add('a@example.com'),
    await add('b@example.com'),
    await add('c@example.com'),
  ]
  return { businessId, owner, a, b, c }
}

test('the ledger records each kind of opt-out without an address, and applies them to an older copy', async () => {
  const { db, service } = testbed
  const { businessId, owner, a, b, c } = await three()
  await owner.get('contact.suppress', { contact_id: a.contact_id })
  const consent = { email: { status: 'unsubscribed', source: 'by phone' } }
  await owner.get('contact.upsert', { email: b.email, consent })
  await db.tx((tx) =>
    applyOptOuts(
      { ...db, tx: async (work) => work(tx) } as typeof db,
      service.vault.hmac,
      [{ at: new Date().toISOString(), kind: 'stopped', mark: 'ab'.repeat(32) }],
      new Date(),
    ),
  )
  await owner.get('contact.erase', { contact_id: c.contact_id })
  const said = await optOutsSince(db, service.vault.hmac, beginning)
  assert.deepEqual(said.map(({ kind }) => kind).toSorted(), [
    'stopped',
    'suppressed',
    'suppressed',
    'unsubscribed',
  ])
  assert.doesNotMatch(JSON.stringify(said), /example\.com/)

  // The state of an older copy: all of these people exist and may be written to.
  await db.run(sql`delete from suppressions where business_id = ${businessId}`)
  await db.run(sql`delete from stopped_numbers`)
  await db.run(sql`
    update contacts set email_consent = 'subscribed' where business_id = ${businessId}
  `)
  await owner.get('contact.upsert', { email: c.email })
  await applyOptOuts(db, service.vault.hmac, said, new Date())
  await applyOptOuts(db, service.vault.hmac, said, new Date())

  const contacts = await db.all<{ email: string; consent: string }>(sql`
    select email, email_consent as consent from contacts
    where business_id = ${businessId} order by email
  `)
  assert.deepEqual(contacts, [
    { email: 'a@example.com', consent: 'subscribed' },
    { email: 'b@example.com', consent: 'unsubscribed' },
  ])
  const reasons = await db.all<{ reason: string }>(sql`
    select reason from suppressions where business_id = ${businessId} order by reason
  `)
  assert.deepEqual(reasons, [{ reason: 'erased' }, { reason: 'manual' }])
  assert.equal((await owner.call('contact.upsert', { email: c.email })).kind, 'refusal')
})

test('the ledger contains each opt-out once, also after a restart and after a truncated line', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ledger-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'deeper', 'ledger.jsonl')
  const { db, service } = testbed
  const { hmac } = service.vault
  const { owner, a, b } = await three()
  await owner.get('contact.suppress', { contact_id: a.contact_id })
  const first = createLedger({ db, hmac, log: silentLog, store: fileLedger(file) })
  assert.ok((await first.catchUp()) > 0)
  assert.equal(await first.catchUp(), 0)
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  const { length } = await lines()
  const second = createLedger({ db, hmac, log: silentLog, store: fileLedger(file) })
  assert.equal(await second.catchUp(), 0)
  await owner.get('contact.suppress', { contact_id: b.contact_id })
  assert.equal(await second.catchUp(), 1)
  assert.equal((await lines()).length, length + 1)
})

/** Opens a ledger whose newest line is recent, like the ledger of a service in use. */
async function ledgerInUse(t: TestContext) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ledger-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'ledger.jsonl')
  const { db, service } = testbed
  const people = await three()
  await people.owner.get('contact.suppress', { contact_id: people.a.contact_id })
  const ledger = createLedger({
    db,
    hmac: service.vault.hmac,
    log: silentLog,
    store: fileLedger(file),
  })
  await ledger.catchUp()
  const before = (await fileLedger(file).read()).length
  const news = async () => {
    await ledger.catchUp()
    return (await fileLedger(file).read()).slice(before)
  }
  return { ...people, ledger, news }
}

const reasonOf = (out: OptOut) => ('reason' in out ? out.reason : '')
const kindAndReason = (out: OptOut) => `${out.kind} ${reasonOf(out)}`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const longAgo = '2024-03-01'

test('the ledger contains imported suppressions with an earlier date, and a restore applies them', async (t) => {
  const { db, service } = testbed
  const { businessId, owner, b, news } = await ledgerInUse(t)
  await owner.get('suppression.import', {
    suppressions: [
      { email: b.email, reason: 'unsubscribed', at: longAgo },
      { sha256: sha256('listed@example.com'), reason: 'manual', at: longAgo },
      { sha256: sha256('known@example.com'), reason: 'bounce', at: longAgo },
    ],
  })
  const said = await news()
  assert.deepEqual(said.map(kindAndReason).toSorted(), [
    'hashed bounce',
    'hashed manual',
    'suppressed unsubscribed',
  ])
  // A contact with the address of a hash is added.
  await owner.get('contact.upsert', { email: 'listed@example.com' })
  const more = (await news()).slice(said.length)
  assert.deepEqual(more.map(kindAndReason), ['suppressed manual'])

  // The state of an older copy, where a contact has the address of a hash.
  await db.run(sql`delete from suppressions where business_id = ${businessId}`)
  await db.run(sql`delete from suppressed_hashes where business_id = ${businessId}`)
  await owner.get('contact.upsert', { email: 'known@example.com' })
  await applyOptOuts(db, service.vault.hmac, [...said, ...more], new Date())
  await applyOptOuts(db, service.vault.hmac, [...said, ...more], new Date())
  const reasons = await db.all<{ reason: string }>(sql`
    select reason from suppressions where business_id = ${businessId} order by reason
  `)
  assert.deepEqual(
    reasons.map(({ reason }) => reason),
    ['bounce', 'manual', 'unsubscribed'],
  )
  const hashes = await db.all<{ sha256: Buffer }>(sql`
    select sha256 from suppressed_hashes where business_id = ${businessId}
  `)
  assert.equal(hashes.length, 2)
  const mail = { to: 'known@example.com', subject: 'News', text: 'News', kind: 'marketing' }
  assert.equal((await owner.call('email.send', mail)).kind, 'refusal')
})

test('the ledger contains a complaint about a suppressed address, and again once the other reason is lifted', async (t) => {
  const { businessId, owner, b, news } = await ledgerInUse(t)
  const listed = (reason: string) =>
    owner.get('suppression.import', { suppressions: [{ email: b.email, reason, at: longAgo }] })
  await listed('bounce')
  await news()
  await testbed.db.run(sql`
    update suppressions set written_at = written_at - interval '1 hour'
    where business_id = ${businessId} and reason = 'bounce'
  `)
  await listed('complaint')
  // The changed row is written again, with both of its reasons.
  assert.deepEqual((await news()).map(reasonOf).toSorted(), ['bounce', 'bounce', 'complaint'])
  const before = (await news()).length
  const { db, service } = testbed
  const mark = markOf(service.vault.hmac, businessId, b.email)
  assert.ok(await db.tx((tx) => keepComplaint(tx, businessId, mark, new Date())))
  const after = await news()
  assert.deepEqual(after.slice(before).map(reasonOf), ['complaint'])
})

test('the ledger contains opt-outs of contacts without a stored address hash, and objections to tracking', async (t) => {
  const { db, service } = testbed
  const { businessId, owner, b, c, news } = await ledgerInUse(t)
  const no = { status: 'unsubscribed', source: 'by phone' }
  await db.run(sql`
    update contacts set email_mark = null where business_id = ${businessId} and email = ${b.email}
  `)
  await owner.get('contact.upsert', { email: b.email, consent: { email: no } })
  await owner.get('contact.upsert', { email: c.email, consent: { tracking: no } })
  const said = await news()
  assert.deepEqual(said.map((out) => ('channel' in out ? out.channel : '')).toSorted(), [
    'email',
    'tracking',
  ])
  await db.run(sql`
    update contacts set email_consent = 'subscribed', tracking_consent = 'none'
    where business_id = ${businessId}
  `)
  await applyOptOuts(db, service.vault.hmac, said, new Date())
  const contacts = await db.all<{ email: string; mail: string; tracking: string }>(sql`
    select email, email_consent as mail, tracking_consent as tracking from contacts
    where business_id = ${businessId} and email > 'a@example.com' order by email
  `)
  assert.deepEqual(contacts, [
    { email: b.email, mail: 'unsubscribed', tracking: 'none' },
    { email: c.email, mail: 'subscribed', tracking: 'unsubscribed' },
  ])
})

test('the ledger reads a row again for two minutes only, and still finds later rows', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ledger-'))
  t.after(() => rm(folder, { recursive: true }))
  const { db, service } = testbed
  const { owner, a, b } = await three()
  await owner.get('contact.suppress', { contact_id: a.contact_id })
  let rows = 0
  const counting: typeof db = {
    ...db,
    async all<Row>(query: Parameters<typeof db.all>[0]) {
      const found = await db.all<Row>(query)
      rows += found.length
      return found
    },
  }
  let passed = 0
  const began = Date.now()
  const ledger = createLedger({
    db: counting,
    hmac: service.vault.hmac,
    log: silentLog,
    store: fileLedger(path.join(folder, 'ledger.jsonl')),
    clock: { now: () => new Date(began + passed) },
    elapsed: () => passed,
  })
  const readAfter = async (ms: number) => {
    passed += ms
    rows = 0
    await ledger.catchUp()
    return rows
  }
  assert.ok((await readAfter(0)) > 0)
  assert.ok((await readAfter(119_000)) > 0)
  // The position moves with this read, so only the next read starts after the rows.
  await readAfter(2_000)
  assert.equal(await readAfter(2_000), 0)
  // The time that a clock shows after as long a wait.
  await owner.get('contact.suppress', { contact_id: b.contact_id })
  await db.run(sql`
    update suppressions set written_at = written_at + interval '123 seconds'
    where written_at = (select max(written_at) from suppressions)
  `)
  assert.equal(await readAfter(2_000), 1)
  assert.equal(await ledger.catchUp(), 0)
})

/** A ledger with a clock that is set by hand, and the lines that it wrote since the last look. */
async function ledgerAt(t: TestContext) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ledger-'))
  t.after(() => rm(folder, { recursive: true }))
  const { db, service } = testbed
  const people = await three()
  const store = fileLedger(path.join(folder, 'ledger.jsonl'))
  const time = { ahead: 0, passed: 0 }
  const open = () =>
    createLedger({
      db,
      hmac: service.vault.hmac,
      log: silentLog,
      store,
      clock: { now: () => new Date(Date.now() + time.ahead + time.passed) },
      elapsed: () => time.passed,
    })
  /** Suppresses somebody, by a clock that is ahead. */
  const suppress = async (contact_id: string) => {
    await people.owner.get('contact.suppress', { contact_id })
    await db.run(sql`
      update suppressions set written_at = written_at + ${time.ahead} * interval '1 ms'
      where written_at = (select max(written_at) from suppressions where written_at <= now())
    `)
  }
  return { ...people, store, time, open, suppress }
}

const year = 365 * 86_400_000

test('an opt-out that a clock dated a year ahead does not keep later ones out of the ledger', async (t) => {
  const { a, b, c, owner, time, open, suppress } = await ledgerAt(t)
  const ledger = open()
  await ledger.catchUp()
  time.ahead = year
  await suppress(a.contact_id)
  assert.equal(await ledger.catchUp(), 1)
  // The clock is put right.
  time.ahead = 0
  time.passed += 5_000
  await owner.get('contact.suppress', { contact_id: b.contact_id })
  assert.equal(await ledger.catchUp(), 1)
  assert.equal(await ledger.catchUp(), 0)
  // So does a process that reads the ledger with the line from the future.
  const again = open()
  assert.equal(await again.catchUp(), 0)
  await owner.get('contact.suppress', { contact_id: c.contact_id })
  assert.equal(await again.catchUp(), 1)
})

test('what a clock that was behind kept out of the ledger is found by comparing everything', async (t) => {
  const { a, b, owner, store, open } = await ledgerAt(t)
  await owner.get('contact.suppress', { contact_id: a.contact_id })
  const ledger = open()
  await ledger.catchUp()
  await owner.get('contact.suppress', { contact_id: b.contact_id })
  await testbed.db.run(sql`
    update suppressions set written_at = written_at - interval '3 days'
    where written_at = (select max(written_at) from suppressions where written_at <= now())
  `)
  assert.equal(await ledger.catchUp(), 0)
  const { length } = await store.read()
  assert.equal(await ledger.compareAll(), 1)
  assert.equal((await store.read()).length, length + 1)
  assert.equal(await ledger.compareAll(), 0)
  assert.equal(await ledger.catchUp(), 0)
})
