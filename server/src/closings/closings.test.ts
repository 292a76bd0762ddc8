/** A business is closed, taken back or deleted, and another one beside it notices nothing. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addBelongings, type Belongings } from '../../../tests/operations/support/belongings.ts'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { tablesOfBusiness } from '../../../tests/support/businesses/tables.ts'
import { newApiKey } from '../../../tests/support/clients/api-keys.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { ana, placeOf } from '../../../tests/support/sms/replies.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { findClosing } from '../accounts/businesses/closing.ts'
import { isHeldByStop, isStopped, stopsOf } from '../accounts/stops/stops.ts'
import { createLedger } from '../backups/ledger/keep-ledger.ts'
import { applyOptOuts, type OptOut } from '../contacts/opt-outs.ts'
import { indexJob } from '../contacts/record.ts'
import { formatId, type Id, twinOf } from '../core/ids.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Job, Verdict } from '../lib/jobs/job.ts'
import { days, later } from '../lib/time/clock.ts'
import { tablesWith } from '../retention/business-rows.ts'
import { bytesOf, makeToken } from '../tracking/tokens.ts'
import { closeBusiness } from './close.ts'
import { runDeletion } from './delete.ts'
import { closingMailWords } from './send-mail.ts'
import { takeBack } from './take-back.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

const close = (businessId: Id<'business'>, keepsSuppressions = false) =>
  testbed.db.tx((tx) =>
    closeBusiness(tx, { businessId, closedBy: null, keepsSuppressions, now: new Date() }),
  )

const files = { remove: async () => undefined } as never

/** Runs the job of the deletion as a worker would, so many days after now, in batches of 7 rows. */
async function deletion(businessId: Id<'business'>, inDays: number): Promise<Verdict> {
  const clock = { now: () => later(new Date(), days(inDays)) }
  for (;;) {
    const job = { payload: { business_id: businessId } } as Job
    const verdict = await runDeletion({ db: testbed.db, clock, files, batchSize: 7 }, job)
    if (verdict.outcome !== 'again' || verdict.at > clock.now()) return verdict
  }
}

async function rowsOf(ids: readonly Id<'business'>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tablesWith(testbed.db, 'business_id')) {
    const text = `select count(*)::int as n from ${table} where business_id = any ($1::uuid[])`
    const { n } = await testbed.db.one<{ n: number }>({ name: '', text, values: [ids] })
    if (n > 0) counts[table] = n
  }
  return counts
}

test('every table with the rows of a business is in the table of what becomes of them', async () => {
  const tables = await tablesWith(testbed.db, 'business_id')
  assert.deepEqual(Object.keys(tablesOfBusiness).toSorted(), tables.toSorted())
})

const preferencesOf = ({ id, contact_id }: Belongings, messageId: Id<'message'>) => {
  const rest = bytesOf(contactOf(contact_id))
  const token = makeToken(testbed.service.vault, 'preferences', { businessId: id, messageId, rest })
  return `${testbed.service.config.baseUrl}/u/${token}`
}

let parse: (text: string) => string
const contactOf = (text: string) => parse(text)

const oneClick = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })

test('a closed business is out of reach, sends nothing, and can be taken back for 30 days', async () => {
  const { db } = testbed
  const own = await addBelongings(testbed, 'closing')
  const owner = await testbed.appCaller({ businesses: [own.id] })
  const connected = await testbed.caller({ businesses: [own.id] })
  const { key } = await newApiKey(db, { businessId: own.id, userId: owner.userId })
  const { name } = await db.one<{ name: string }>(
    sql`select name from businesses where id = ${own.id}`,
  )
  const { business_id } = own
  const refused = await owner.call('business.close', { business_id, name: 'another' })
  assert.deepEqual([refused.status, refused.body['field']], [400, 'name'])
  const closing = await owner.get<{ delete_at: string; closed_at: string }>('business.close', {
    business_id,
    name,
  })
  assert.equal(Date.parse(closing.delete_at) - Date.parse(closing.closed_at), days(30))
  assert.equal((await owner.call('contact.list', { business_id })).status, 404)
  assert.notEqual((await connected.call('contact.list', {})).kind, 'answer')
  const { revoked } = await db.one<{ revoked: boolean }>(sql`
    select revoked_at is not null as revoked from connections where id = ${key.id}
  `)
  assert.ok(revoked)
  const form = await fetch(`${testbed.service.config.baseUrl}/f/${own.form_id}`)
  assert.equal(form.status, 404)
  const [stop] = await stopsOf(db, own.id)
  assert.equal(stop?.stoppedId, own.id)
  const messages = await db.one<{ held: number; all: number }>(sql`
    select count(*) filter (where s.all_messages and not m.is_reply)::int as held, count(*)::int as all
    from messages m join sending_stops s on s.business_id = m.business_id and s.stopped_id = m.business_id
    where m.business_id = ${own.id}
  `)
  assert.ok(messages.all > 0 && messages.held >= messages.all - 1)

  assert.equal((await deletion(own.id, 29)).outcome, 'again')
  assert.equal((await findClosing(db, own.id))?.deletionBeganAt, null)
  const stranger = await testbed.appCaller({ businesses: [] })
  const asStranger = { businessId: own.id, userId: stranger.userId, now: new Date() }
  await assert.rejects(
    db.tx((tx) => takeBack(tx, asStranger)),
    { code: 'not_found' },
  )
  await db.tx((tx) => takeBack(tx, { businessId: own.id, userId: owner.userId, now: new Date() }))
  assert.equal((await owner.call('contact.list', { business_id })).status, 200)
  assert.ok(await isStopped(db, own.id, null), 'a person resumes the sending')
  assert.equal((await deletion(own.id, 40)).outcome, 'done')
  assert.equal((await owner.call('contact.list', { business_id })).status, 200)
})

test('after 30 days all of it is deleted but what was asked for, and its links answer for 60 more', async () => {
  const { db } = testbed
  const { parseId } = await import('../core/ids.ts')
  parse = (text) => parseId('contact', text) ?? ''
  const own = await addBelongings(testbed, 'ending')
  const other = await addBelongings(testbed, 'staying')
  await testbed.appCaller({ businesses: [own.id] })
  await db.run(sql`
    insert into businesses (id, test_of, name, tier, created_at, updated_at)
    values (${twinOf(own.id)}, ${own.id}, 'Twin', 'scale', now(), now()) on conflict do nothing
  `)
  const message = parseId('message', own.message_id)
  assert.ok(message)
  const link = preferencesOf(own, message)
  await db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    values (${own.id}, 'email', '\\x0a', 'manual', 'a test', now())
  `)
  await close(own.id, true)
  assert.equal((await oneClick(link)).status, 200)
  // What people are searched by is written a moment after them.
  const waiting = await eventually(
    async () => (await db.all(sql`select from jobs where kind = ${indexJob} limit 1`)).length,
    (jobs) => jobs === 0,
  )
  assert.equal(waiting, 0)
  const neighbour = await rowsOf([other.id])
  const verdict = await deletion(own.id, 31)
  assert.equal(verdict.outcome, 'again')
  const left = Object.keys(await rowsOf([own.id, twinOf(own.id)]))
  const keptTables = Object.entries(tablesOfBusiness).flatMap(([table, { closing }]) =>
    closing === 'deleted' ? [] : [table],
  )
  assert.deepEqual(
    left.filter((table) => !keptTables.includes(table)),
    [],
  )
  assert.ok(left.includes('suppressions'))
  // Calls are counted a moment after they were made.
  const { usage_days: _before, ...before } = neighbour
  const { usage_days: _after, ...after } = await rowsOf([other.id])
  assert.deepEqual(after, before)
  const certificate = await findClosing(db, own.id)
  assert.ok(certificate?.deletedAt && (certificate.deleted['contacts'] ?? 0) > 0)
  await assert.rejects(
    db.tx((tx) => takeBack(tx, { businessId: own.id, userId: null, now: new Date() })),
    { code: 'not_found' },
  )
  // Both ways of unsubscribing still end well, and nobody is asked to come back.
  assert.equal((await fetch(link)).status, 200)
  // A profile that was read just before the closing is kept for 5 seconds.
  const page = await eventually(
    async () => (await fetch(link)).text(),
    (shown) => !shown.includes('name="return"'),
    10_000,
  )
  assert.doesNotMatch(page, /name="return"/)
  assert.equal((await oneClick(link)).status, 200)

  assert.equal((await deletion(own.id, 80)).outcome, 'again')
  assert.equal((await deletion(own.id, 92)).outcome, 'done')
  const jobs = await db.all<{ kind: string }>(sql`
    delete from jobs where business_id in (${own.id}, ${twinOf(own.id)}) returning kind
  `)
  for (const { kind } of jobs) assert.match(kind, /^business\.(?:delete|closing-mail)$/)
  const rest = Object.keys(await rowsOf([own.id, twinOf(own.id)]))
  assert.deepEqual(
    rest.filter((table) => table !== 'lanes'),
    ['suppressions'],
  )
  const gone = await db.maybe(
    sql`select from businesses where id in (${own.id}, ${twinOf(own.id)})`,
  )
  assert.equal(gone, undefined)
  assert.ok((await findClosing(db, own.id))?.removedAt)
  assert.equal((await oneClick(link)).status, 200)
})

test('STOP to the number of a closed business counts and is confirmed, before and after its deletion', async () => {
  const { db } = testbed
  const phones = placeOf(db)
  const shop = await phones.business('+33700000077')
  const contactId = await phones.contact(shop, ana)
  await close(shop)
  const stop = (from: string) => phones.write({ from, to: '+33700000077', body: 'STOP' })
  assert.equal(await stop(ana), 'stop')
  const { status } = await db.one<{ status: string }>(sql`
    select sms_consent as status from contacts where business_id = ${shop} and id = ${contactId}
  `)
  assert.equal(status, 'unsubscribed')
  const confirmation = await db.maybe(sqlWithin`
    select from messages m where business_id = ${shop} and is_reply and ${isHeldByStop}
  `)
  assert.equal(confirmation, undefined, 'a stop holds no confirmation')
  const answered = async (phone: string) =>
    (await phones.answers(phone)).map(({ businessId }) => businessId)
  assert.deepEqual(await answered(ana), [shop])
  assert.equal((await deletion(shop, 31)).outcome, 'again')
  const another = '+33612345679'
  assert.equal(await stop(another), 'stop')
  assert.deepEqual(await answered(another), [shop])
})

test('the ledger closes and deletes a business again that a restore brought back', async () => {
  const { db, service } = testbed
  const { businessId } = await testbed.someone('scale')
  const lines: OptOut[] = []
  const store = {
    isThere: async () => true,
    read: async () => [...lines],
    append: async (entries: readonly OptOut[]) => void lines.push(...entries),
  }
  const ledger = createLedger({ db, hmac: service.vault.hmac, log: silentLog, store })
  await ledger.catchUp()
  await close(businessId)
  await ledger.catchUp()
  const own = () =>
    lines.filter(
      (line) => 'business_id' in line && line.business_id === formatId('business', businessId),
    )
  assert.deepEqual(
    own().map(({ kind }) => kind),
    ['closed'],
  )
  // The older copy knows nothing of it.
  await db.run(sql`update businesses set closed_at = null where id = ${businessId}`)
  await db.run(sql`delete from sending_stops where business_id = ${businessId}`)
  const before = await findClosing(db, businessId)
  await db.run(sql`delete from business_closings where id = ${businessId}`)
  await applyOptOuts(db, service.vault.hmac, own(), new Date())
  await applyOptOuts(db, service.vault.hmac, own(), new Date())
  const after = await findClosing(db, businessId)
  assert.deepEqual([after?.closedAt, after?.deleteAt], [before?.closedAt, before?.deleteAt])
  assert.ok(await isStopped(db, businessId, null))
  await ledger.compareAll()
  assert.equal(own().length, 1, 'what was applied is not written again')

  assert.equal((await deletion(businessId, 31)).outcome, 'again')
  await ledger.compareAll()
  assert.deepEqual(
    own().map(({ kind }) => kind),
    ['closed', 'deleted'],
  )
})

test('each mail has its words in three languages', () => {
  const closing = {
    name: 'Shop',
    language: 'de',
    closedAt: new Date(0),
    deleteAt: new Date(days(30)),
    keepsSuppressions: true,
    deleted: { contacts: 1200, messages: 34 },
  } as never
  for (const language of ['en', 'de', 'fr'] as const) {
    for (const event of ['closed', 'reopened', 'deleted'] as const) {
      const { subject, message } = closingMailWords(language, event, closing)
      assert.match(subject, /Shop/)
      assert.match(message, /Shop/)
    }
  }
  assert.match(closingMailWords('en', 'deleted', closing).message, /1,234 rows/)
})
