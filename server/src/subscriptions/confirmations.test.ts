/** Consent by a confirmation mail, from the call to the button and to the thirtieth day. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type ConfirmationMail,
  confirmationScene,
  confirmPathIn,
  emailStatusOf,
  shownContact,
} from '../../../tests/support/businesses/confirmations.ts'
import { suppressAddress } from '../../../tests/support/businesses/contacts.ts'
import type { Caller } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactGet } from '../contacts/get.ts'
import { contactImport } from '../contacts/import.ts'
import { contactList } from '../contacts/list.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { suppressionImport } from '../contacts/suppressions/import.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, later } from '../lib/time/clock.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const scene = () => confirmationScene({ db: database.db, clock })

let people = 0
const newAddress = () => `p${++people}@example.com`

const pending = (more: object = {}) => ({
  email: { status: 'pending', source: 'footer form', ...more },
})

async function ask(caller: Caller, email: string, more: object = {}): Promise<string> {
  const input = { email, consent: pending(), ...more }
  return (await caller.get<{ contact_id: string }>(contactUpsert, input)).contact_id
}

test('a contact confirms with the button, and a scanner that follows the link confirms nothing', async () => {
  const { caller, mail, mails, press } = await scene()
  const email = newAddress()
  const name = 'WIN NOW http://evil.test'
  const contact_id = await ask(caller, email, {
    name,
    consent: pending({ text: 'Click evil.test' }),
  })
  assert.equal(await emailStatusOf(caller, contact_id), 'pending')
  const filter = { consent: 'email', is: 'pending' }
  for (const asked of [{ filter }, { email_consent: 'pending' }]) {
    assert.equal((await caller.get<{ contacts: [] }>(contactList, asked)).contacts.length, 1)
  }
  await mail()
  const [sent, ...more] = await mails()
  assert.ok(sent)
  assert.deepEqual([more.length, sent.kind, sent.recipient], [0, 'transactional', email])
  assert.doesNotMatch(sent.html + sent.text + sent.subject, /evil|WIN NOW/)
  const path = confirmPathIn(sent)
  for (let n = 0; n < 3; n++) {
    const page = await press(path, 'GET')
    assert.deepEqual([page.status, page.to], [200, undefined])
    assert.match(page.body, /<button>Confirm<\/button>/)
  }
  assert.equal(await emailStatusOf(caller, contact_id), 'pending')
  for (let n = 0; n < 3; n++) {
    const page = await press(path, 'POST')
    assert.equal(page.status, 200)
    assert.match(page.body, /You will get messages from/)
  }
  const { consent } = await shownContact(caller, contact_id)
  assert.equal(consent.email.status, 'subscribed')
  assert.equal(consent.email.history.length, 2, 'pressed again it says nothing new')
  assert.equal(consent.email.history[0]?.['text'], 'Click evil.test')
})

test('a repeated request never undoes a confirmation or writes to a contact who has confirmed', async () => {
  const { caller, mail, mails, press } = await scene()
  const email = newAddress()
  const contact_id = await ask(caller, email)
  await mail()
  await press(confirmPathIn((await mails())[0] as ConfirmationMail), 'POST')
  clock.forward(days(2))
  await ask(caller, email)
  await caller.get(contactImport(), { contacts: [{ email, consent: pending() }] })
  await mail()
  assert.equal((await mails()).length, 1)
  assert.equal(await emailStatusOf(caller, contact_id), 'subscribed')
})

test('an address gets at most one confirmation mail a day, and three a week from all businesses', async () => {
  const email = newAddress()
  const first = await scene()
  for (let n = 0; n < 5; n++) await ask(first.caller, email)
  await first.mail()
  assert.equal((await first.mails()).length, 1)
  clock.forward(hours(24) - 1)
  await first.mail()
  assert.equal((await first.mails()).length, 1)
  clock.forward(1)
  await first.mail()
  assert.equal((await first.mails()).length, 2)
  const others = [await scene(), await scene()]
  for (const other of others) {
    // The answer is the same whether or not a mail is sent.
    assert.match(await ask(other.caller, email), /^con_/)
    await other.mail()
  }
  assert.deepEqual(
    await Promise.all(others.map(async ({ mails }) => (await mails()).length)),
    [1, 0],
  )
})

test('a confirmation mail beyond the limits is held until there is room, and sent once', async () => {
  const email = newAddress()
  const earlier = [await scene(), await scene(), await scene()]
  for (const one of earlier) {
    await ask(one.caller, email)
    await one.mail()
    clock.forward(hours(1))
  }
  const { caller, mail, mails } = await scene()
  await ask(caller, email)
  const [verdict] = await mail()
  const room = later(clock.now(), days(7) - hours(3))
  assert.deepEqual(verdict, { outcome: 'again', at: room })
  assert.equal((await mails()).length, 0)
  clock.forward(days(7) - hours(3))
  assert.deepEqual(await mail(), [{ outcome: 'done' }])
  assert.equal((await mails()).length, 1)
  // A person who has already got the mail is not deferred until another one is allowed.
  await ask(caller, email)
  assert.ok((await mail()).every((entry) => entry?.outcome === 'done'))
})

test('confirming lifts the contact’s own opt-outs and bounces, but not suppressions by the business', async () => {
  for (const [reason, isLifted] of [
    ['unsubscribed', true],
    ['complaint', true],
    ['bounce', true],
    ['manual', false],
    ['erased', false],
  ] as const) {
    const { caller, businessId, mail, mails, press } = await scene()
    const email = newAddress()
    await ask(caller, email)
    await mail()
    await suppressAddress(database.db, businessId, email, reason)
    await press(confirmPathIn((await mails())[0] as ConfirmationMail), 'POST')
    const left = await database.db.all(sql`
      select reason from suppressions where business_id = ${businessId}
    `)
    assert.deepEqual(left, isLifted ? [] : [{ reason }], reason)
  }
})

test('confirming also lifts an opt-out that was imported as a hash', async () => {
  const { caller, businessId, mail, mails, press } = await scene()
  const email = newAddress()
  const sha256 = createHash('sha256').update(email).digest('hex')
  await caller.get(suppressionImport, { suppressions: [{ sha256, reason: 'unsubscribed' }] })
  await ask(caller, email)
  await mail()
  const count = async () =>
    (
      await database.db.one<{ n: number }>(sql`
        select (select count(*) from suppressions where business_id = ${businessId})::int
          + (select count(*) from suppressed_hashes where business_id = ${businessId})::int as n
      `)
    ).n
  assert.equal(await count(), 2)
  await press(confirmPathIn((await mails())[0] as ConfirmationMail), 'POST')
  assert.equal(await count(), 0)
})

test('one reminder is sent after three days, and a contact who has confirmed gets no reminder', async () => {
  const { caller, mail, mails, wait, press } = await scene()
  await ask(caller, newAddress())
  await ask(caller, newAddress())
  await mail()
  await press(confirmPathIn((await mails())[0] as ConfirmationMail), 'POST')
  clock.forward(days(3))
  const verdicts = await wait()
  assert.deepEqual(
    verdicts.map((verdict) => verdict?.outcome),
    ['done', 'again'],
  )
  assert.equal((await mails()).length, 3)
  clock.forward(days(1))
  await wait()
  assert.equal((await mails()).length, 3)
})

test('a contact who never confirms is deleted after thirty days, unless known for another reason', async () => {
  const { caller, mail, mails, wait, press } = await scene()
  const [alone, buyer, changed, before] = [newAddress(), newAddress(), newAddress(), newAddress()]
  await caller.get(contactUpsert, { email: before })
  const ids: string[] = []
  for (const email of [alone, buyer, changed, before]) ids.push(await ask(caller, email))
  const event = { contact: { email: buyer }, event: 'order', value: 10 }
  await caller.get(contactTrack, { events: [event] })
  await caller.get(contactUpsert, { email: changed, name: 'Ana' })
  await mail()
  clock.forward(days(30) - 1)
  await wait()
  assert.equal(await emailStatusOf(caller, ids[0] ?? ''), 'pending')
  clock.forward(1)
  await wait()
  await wait()
  const gone = await caller.refused(contactGet, { contact_id: ids[0] })
  assert.equal(gone.code, 'not_found')
  for (const id of ids.slice(1)) assert.equal(await emailStatusOf(caller, id), 'none')
  const late = await press(confirmPathIn((await mails())[0] as ConfirmationMail), 'POST')
  assert.deepEqual([late.status, /expired/.test(late.body)], [410, true])
  // The contact's row is gone without a trace, so the person can sign up again.
  assert.equal(await emailStatusOf(caller, await ask(caller, alone)), 'pending')
})

test('a link that was forged, cut off, changed or made for another purpose confirms nothing', async () => {
  const { caller, mail, mails, press } = await scene()
  const contact_id = await ask(caller, newAddress())
  await mail()
  const path = confirmPathIn((await mails())[0] as ConfirmationMail)
  const other = path.endsWith('A') ? 'B' : 'A'
  for (const forged of [
    path.slice(0, -1),
    `${path.slice(0, -1)}${other}`,
    '/confirm/x',
    `${path}AAAA`,
  ]) {
    assert.equal((await press(forged, 'POST')).status, 404, forged)
  }
  assert.equal(await emailStatusOf(caller, contact_id), 'pending')
})

test('a link confirms nothing if the contact’s address has changed or the contact was erased', async () => {
  const { caller, mail, mails, press } = await scene()
  const phone = '+33612345678'
  const contact_id = await ask(caller, newAddress(), { phone })
  await mail()
  await database.db.run(sql`update contacts set email = ${newAddress()} where phone = ${phone}`)
  const path = confirmPathIn((await mails())[0] as ConfirmationMail)
  assert.equal((await press(path, 'POST')).status, 410)
  await caller.get(contactErase, { contact_id })
  assert.equal((await press(path, 'POST')).status, 410)
})

test('a contact who had unsubscribed stays unsubscribed until they confirm', async () => {
  const { caller, mail, mails, press } = await scene()
  const email = newAddress()
  const left = { email: { status: 'unsubscribed', source: 'phone call' } }
  const contact_id = await ask(caller, email, { consent: left })
  await ask(caller, email)
  assert.equal(await emailStatusOf(caller, contact_id), 'unsubscribed')
  await mail()
  await press(confirmPathIn((await mails())[0] as ConfirmationMail), 'POST')
  assert.equal(await emailStatusOf(caller, contact_id), 'subscribed')
})
