/** Consent that a mail asks for, from the call to the button and to the thirtieth day. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type Caller, callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { PageVisitor } from '../../../tests/support/clients/page-visitor.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { createSenderProfileReader } from '../accounts/businesses/sender-profile.ts'
import {
  type ConfirmationPayload,
  confirmationMailJob,
  confirmationWaitJob,
} from '../contacts/model/ask-for-confirmation.ts'
import { contactErase } from '../contacts/operations/erase.ts'
import { contactGet } from '../contacts/operations/get.ts'
import { contactImport } from '../contacts/operations/import.ts'
import { contactList } from '../contacts/operations/list.ts'
import { contactUpsert } from '../contacts/operations/upsert.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import type { Id } from '../core/ids.ts'
import { registerConfirmations } from '../http/pages/public/confirmation.ts'
import { createServer } from '../http/server.ts'
import { sql } from '../lib/db/db.ts'
import type { Job, Verdict } from '../lib/jobs/job.ts'
import { days, hours } from '../lib/time/clock.ts'
import { confirmationJobs } from './confirmation-jobs.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const sender = { from: 'A <a@shop.test>', domain: 'shop.test', keys: [], marketing: true } as const

async function scene() {
  const { db } = database
  const businessId = await newBusiness(db)
  const senderProfileOf = createSenderProfileReader(db, clock)
  const server = createServer({ log: silentLog, bodyLimit: 9_999, trustProxy: false, https: false })
  registerConfirmations(server, { db, clock, vault: testVault, senderProfileOf, log: silentLog })
  const kinds = confirmationJobs({
    db,
    clock,
    vault: testVault,
    baseUrl: 'http://crier.test',
    senders: { senderOf: async () => sender },
    senderProfileOf,
    wake: () => undefined,
  })
  const run = async (kind: string): Promise<(Verdict | undefined)[]> => {
    const rows = await db.all<{ payload: ConfirmationPayload }>(sql`
      select payload from jobs where kind = ${kind} and payload ->> 'business_id' = ${businessId}
      order by due_at, id
    `)
    const verdicts: (Verdict | undefined)[] = []
    for (const { payload } of rows) {
      verdicts.push((await kinds[kind]?.run({ payload } as Job, signal)) as Verdict | undefined)
    }
    return verdicts
  }
  const visitor = new PageVisitor(server, 'crier.test')
  return {
    businessId,
    caller: callerIn({ db, clock }, businessId),
    /** What the job of each request does. */
    mail: () => run(confirmationMailJob),
    wait: () => run(confirmationWaitJob),
    mails: () => mailsOf(businessId),
    press: (path: string, method: 'GET' | 'POST') =>
      visitor.send({
        method,
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: '',
      }),
  }
}

interface Mail {
  kind: string
  recipient: string
  subject: string
  html: string
  text: string
}

function mailsOf(businessId: Id<'business'>): Promise<Mail[]> {
  return database.db.all<Mail>(sql`
    select m.kind, m.recipient, c.subject, c.html, c.body_text as text
    from messages m join message_contents c on c.business_id = m.business_id and c.message_id = m.id
    where m.business_id = ${businessId} order by m.id
  `)
}

const { signal } = new AbortController()
let people = 0
const newAddress = () => `p${++people}@example.com`
const pathIn = ({ text }: Mail) => /http:\/\/crier\.test(\/confirm\/\S+)/.exec(text)?.[1] ?? ''

const pending = (more: object = {}) => ({
  email: { status: 'pending', source: 'footer form', ...more },
})

async function ask(caller: Caller, email: string, more: object = {}): Promise<string> {
  const input = { email, consent: pending(), ...more }
  return (await caller.get<{ contact_id: string }>(contactUpsert, input)).contact_id
}

interface Shown {
  topics: { email: Record<string, string> }
  consent: { email: { status: string; history: Record<string, unknown>[] } }
}
const look = (caller: Caller, contact_id: string) => caller.get<Shown>(contactGet, { contact_id })
const statusOf = async (caller: Caller, id: string) => (await look(caller, id)).consent.email.status

test('the person confirms by the button, and a scanner that follows the link does not', async () => {
  const { caller, mail, mails, press } = await scene()
  const email = newAddress()
  const name = 'WIN NOW http://evil.test'
  const contact_id = await ask(caller, email, {
    name,
    consent: pending({ text: 'Click evil.test' }),
  })
  assert.equal(await statusOf(caller, contact_id), 'pending')
  const filter = { consent: 'email', is: 'pending' }
  for (const asked of [{ filter }, { email_consent: 'pending' }]) {
    assert.equal((await caller.get<{ contacts: [] }>(contactList, asked)).contacts.length, 1)
  }
  await mail()
  const [sent, ...more] = await mails()
  assert.ok(sent)
  assert.deepEqual([more.length, sent.kind, sent.recipient], [0, 'transactional', email])
  assert.doesNotMatch(sent.html + sent.text + sent.subject, /evil|WIN NOW/)
  const path = pathIn(sent)
  for (let n = 0; n < 3; n++) {
    const page = await press(path, 'GET')
    assert.deepEqual([page.status, page.to], [200, undefined])
    assert.match(page.body, /<button>Confirm<\/button>/)
  }
  assert.equal(await statusOf(caller, contact_id), 'pending')
  for (let n = 0; n < 3; n++) {
    const page = await press(path, 'POST')
    assert.equal(page.status, 200)
    assert.match(page.body, /You will get messages from/)
  }
  const { consent } = await look(caller, contact_id)
  assert.equal(consent.email.status, 'subscribed')
  assert.equal(consent.email.history.length, 2, 'pressed again it says nothing new')
  assert.equal(consent.email.history[0]?.['text'], 'Click evil.test')
})

test('asking again never un-confirms, nor does it write to who has confirmed', async () => {
  const { caller, mail, mails, press } = await scene()
  const email = newAddress()
  const contact_id = await ask(caller, email)
  await mail()
  await press(pathIn((await mails())[0] as Mail), 'POST')
  clock.forward(days(2))
  await ask(caller, email)
  await caller.get(contactImport(), { contacts: [{ email, consent: pending() }] })
  await mail()
  assert.equal((await mails()).length, 1)
  assert.equal(await statusOf(caller, contact_id), 'subscribed')
})

test('one mail a day goes to an address, and three a week from all businesses', async () => {
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
    // Whoever asks is told the same, whether a mail goes or not.
    assert.match(await ask(other.caller, email), /^con_/)
    await other.mail()
  }
  assert.deepEqual(
    await Promise.all(others.map(async ({ mails }) => (await mails()).length)),
    [1, 0],
  )
})

test('one reminder comes after three days, and none to who has confirmed', async () => {
  const { caller, mail, mails, wait, press } = await scene()
  await ask(caller, newAddress())
  await ask(caller, newAddress())
  await mail()
  await press(pathIn((await mails())[0] as Mail), 'POST')
  clock.forward(days(3))
  const verdicts = await wait()
  assert.deepEqual(
    verdicts.map((one) => one?.outcome),
    ['done', 'again'],
  )
  assert.equal((await mails()).length, 3)
  clock.forward(days(1))
  await wait()
  assert.equal((await mails()).length, 3)
})

test('who never confirms is deleted after thirty days, unless known for another reason', async () => {
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
  assert.equal(await statusOf(caller, ids[0] ?? ''), 'pending')
  clock.forward(1)
  await wait()
  await wait()
  const gone = await caller.refused(contactGet, { contact_id: ids[0] })
  assert.equal(gone.code, 'not_found')
  for (const id of ids.slice(1)) assert.equal(await statusOf(caller, id), 'none')
  const late = await press(pathIn((await mails())[0] as Mail), 'POST')
  assert.deepEqual([late.status, /expired/.test(late.body)], [410, true])
  // They were never here, so that they may sign up anew.
  assert.equal(await statusOf(caller, await ask(caller, alone)), 'pending')
})

test('a link that was forged, cut off, changed or made for another purpose confirms nothing', async () => {
  const { caller, mail, mails, press } = await scene()
  const contact_id = await ask(caller, newAddress())
  await mail()
  const path = pathIn((await mails())[0] as Mail)
  const other = path.endsWith('A') ? 'B' : 'A'
  for (const forged of [
    path.slice(0, -1),
    `${path.slice(0, -1)}${other}`,
    '/confirm/x',
    `${path}AAAA`,
  ]) {
    assert.equal((await press(forged, 'POST')).status, 404, forged)
  }
  assert.equal(await statusOf(caller, contact_id), 'pending')
})

test('an address that is another one by then is not confirmed, nor is somebody who was erased', async () => {
  const { caller, mail, mails, press } = await scene()
  const phone = '+33612345678'
  const contact_id = await ask(caller, newAddress(), { phone })
  await mail()
  await database.db.run(sql`update contacts set email = ${newAddress()} where phone = ${phone}`)
  const path = pathIn((await mails())[0] as Mail)
  assert.equal((await press(path, 'POST')).status, 410)
  await caller.get(contactErase, { contact_id })
  assert.equal((await press(path, 'POST')).status, 410)
})

test('who had left stays so until they confirm', async () => {
  const { caller, mail, mails, press } = await scene()
  const email = newAddress()
  const left = { email: { status: 'unsubscribed', source: 'phone call' } }
  const contact_id = await ask(caller, email, { consent: left })
  await ask(caller, email)
  assert.equal(await statusOf(caller, contact_id), 'unsubscribed')
  await mail()
  await press(pathIn((await mails())[0] as Mail), 'POST')
  assert.equal(await statusOf(caller, contact_id), 'subscribed')
})
