/** Links in old mails: their effect for a merged contact, and for a person who is gone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmationScene,
  confirmPathIn,
  shownContact,
} from '../../../tests/support/businesses/confirmations.ts'
import { contactsOf, suppressAddress } from '../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { limits } from '../config.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactImport } from '../contacts/import.ts'
import { contactMerge } from '../contacts/merge.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { formatId, newId, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours } from '../lib/time/clock.ts'
import { bytesOf, makeToken } from '../tracking/tokens.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

let people = 0

async function scene() {
  const all = await confirmationScene({ db: database.db, clock })
  const { caller, visitor, businessId } = all
  const email = `o${++people}@example.com`
  const yes = { status: 'subscribed', source: 'a form' }
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, {
    email,
    consent: { email: yes },
  })
  const contactId = parseId('contact', contact_id)
  assert.ok(contactId)
  const messageId = newId('message')
  const named = { businessId, messageId, rest: bytesOf(contactId) }
  const path = `/u/${makeToken(testVault, 'preferences', named)}`
  return {
    ...all,
    email,
    contact_id,
    source: `preference page, ${formatId('message', messageId)}`,
    path,
    contacts: () => contactsOf(database.db, businessId),
    reasons: async () =>
      (
        await database.db.all<{ reason: string }>(sql`
          select reason from suppressions where business_id = ${businessId}
        `)
      ).map(({ reason }) => reason),
    come: async (typed: string) => visitor.submit(await visitor.get(path), { email: typed }),
    oneClick: () =>
      visitor.send({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      }),
  }
}

test('the link of a contact that was merged unsubscribes what it became, and takes it back', async () => {
  // What a connection merges waits for 24 hours.
  const { key: caller, contact_id, contacts, path, visitor, oneClick } = await scene()
  const merge = async (other_contact_id: string) => {
    const phone = `+3361234${1000 + ++people}`
    const kept = await caller.get<{ contact_id: string }>(contactUpsert, { phone })
    await caller.get(contactMerge({ traces: [] }), {
      contact_id: kept.contact_id,
      other_contact_id,
    })
    return kept.contact_id
  }
  await merge(await merge(contact_id))
  const status = async () => (await contacts()).map(({ consent }) => consent.email)
  assert.deepEqual(await status(), ['subscribed'])
  assert.match((await visitor.get(path)).body, /o•••@example\.com/)
  assert.match((await oneClick()).body, /no more marketing by email/)
  assert.deepEqual(await status(), ['unsubscribed'])
  await visitor.submit(await visitor.get(path), { channel: 'email' })
  assert.deepEqual(await status(), ['subscribed'])
})

test('an erased person comes back by the page of an old mail, once they confirm', async () => {
  const { caller, email, contact_id, source, contacts, reasons, come, ...all } = await scene()
  await caller.get(contactErase, { contact_id })
  const asked = await come(email.toUpperCase())
  assert.equal(asked.status, 200)
  assert.match(asked.body, /check your inbox/)
  assert.deepEqual([await contacts(), await reasons()], [[], ['erased']])
  await all.mail()
  const [mail, ...more] = all.serviceMails
  assert.ok(mail)
  assert.deepEqual([mail.to, more.length, (await all.mails()).length], [email, 0, 0])
  assert.equal((await all.press(confirmPathIn(mail), 'POST')).status, 200)
  const [back] = await contacts()
  assert.ok(back)
  assert.deepEqual([back.email, back.consent.email, await reasons()], [email, 'subscribed', []])
  const { consent } = await shownContact(caller, formatId('contact', back.id))
  const [row] = consent.email.history
  assert.deepEqual(
    [row?.['source'], row?.['text'], row?.['ip']],
    [source, 'Send me news and offers from A business by email.', '127.0.0.1'],
  )
})

test('what the person says after their return holds against old lists, and another erasure', async () => {
  const { caller, email, contact_id, contacts, reasons, come, ...all } = await scene()
  const tracking = { status: 'unsubscribed', source: 'a call' }
  await caller.get(contactUpsert, { email, consent: { email: tracking, tracking } })
  await caller.get(contactErase, { contact_id })
  await come(email)
  await all.mail()
  await all.press(confirmPathIn(all.serviceMails[0] as never), 'POST')
  const [back] = await contacts()
  assert.ok(back)
  assert.deepEqual(back.consent, { email: 'subscribed', sms: 'none', tracking: 'none' })
  await caller.get(contactUpsert, { email, consent: { email: tracking } })
  const old = { email: { status: 'subscribed', source: 'old export', text: 'Yes' } }
  await caller.get(contactImport(), { contacts: [{ email, consent: old }] })
  assert.deepEqual(
    (await contacts()).map(({ consent }) => consent.email),
    ['unsubscribed'],
  )
  await caller.get(contactErase, { contact_id: formatId('contact', back.id) })
  await caller.get(contactImport(), { contacts: [{ email, consent: old }] })
  assert.deepEqual([await contacts(), await reasons()], [[], ['erased']])
})

test('who said no and was deleted with their months past comes back in the same way', async () => {
  const { businessId, email, contacts, reasons, come, ...all } = await scene()
  await suppressAddress(database.db, businessId, email)
  await database.db.run(sql`
    update suppressions set reason = 'unsubscribed', source = 'retention'
    where business_id = ${businessId}
  `)
  await come(email)
  assert.deepEqual(
    (await contacts()).map(({ consent }) => consent.email),
    ['pending'],
  )
  assert.deepEqual(await reasons(), ['unsubscribed'])
  await all.mail()
  const [mail] = await all.mails()
  assert.ok(mail)
  await all.press(confirmPathIn(mail), 'POST')
  assert.deepEqual(
    (await contacts()).map(({ consent }) => consent.email),
    ['subscribed'],
  )
  assert.deepEqual(await reasons(), [])
})

test('nobody is mailed who was never here, and the page says the same', async () => {
  const { caller, businessId, email, contact_id, contacts, come, ...all } = await scene()
  await caller.get(contactErase, { contact_id })
  const known = await come(email)
  clock.forward(days(31))
  await suppressAddress(database.db, businessId, 'held@example.com', 'manual')
  for (const typed of ['stranger@example.com', 'held@example.com']) {
    assert.equal((await come(typed)).body, known.body)
  }
  await all.mail()
  assert.deepEqual([await contacts(), all.serviceMails, await all.mails()], [[], [], []])
})

test('what is no address is said at its field, and a link asks only so often', async () => {
  const { caller, email, contact_id, come } = await scene()
  await caller.get(contactErase, { contact_id })
  const wrong = await come('ana@@example')
  assert.equal(wrong.status, 400)
  assert.match(wrong.body, /value="ana@@example" aria-invalid="true"/)
  assert.match(wrong.body, /role="alert">Enter an email address such as/)
  for (let n = 0; n < limits.preferenceChangesPerHour; n++) {
    assert.equal((await come(email)).status, 200)
  }
  const over = await come(email)
  assert.deepEqual([over.status, over.headers['retry-after']], [429, '3600'])
  clock.forward(hours(1))
  assert.equal((await come(email)).status, 200)
})

test('who is still here chooses on their own page, whatever address is sent to it', async () => {
  const { path, visitor, contacts } = await scene()
  const answer = await visitor.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'return=yes&email=other%40example.com',
  })
  assert.match(answer.body, /Save my choice/)
  assert.deepEqual((await contacts()).length, 1)
})
