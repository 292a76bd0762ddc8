/**
 * An assistant invents consents and takes an unsubscribe back. The owners have a mail about the
 * first, and the person one about the second.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newMember } from '../support/clients/grants.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import type { EntryCaller } from '../support/clients/tool-caller.ts'
import { eventually } from '../support/time/eventually.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

interface Mail {
  subject: string
  text: string
}

async function mailsTo(address: string): Promise<Mail[]> {
  const listing = `${testbed.service.url}/inbox/messages?to=${encodeURIComponent(address)}`
  return ((await (await fetch(listing)).json()) as { messages: Mail[] }).messages
}

/** Owners get a mail about the end of an import as well. */
const isOfConsents = ({ subject }: Mail) => subject.includes('subscribed by a connected app')

async function scene() {
  const businessId = await testbed.newBusiness()
  const ownerId = await newMember(testbed.db, { businesses: [businessId] })
  const grant = { businesses: [businessId], userId: ownerId, clientName: 'Helper' }
  const owner = `${ownerId}@example.com`
  return {
    businessId,
    owner,
    assistant: await testbed.caller(grant),
    toldOwner: () => mailsTo(owner),
  }
}

const claim = {
  status: 'subscribed',
  source: 'the customer told me',
  text: 'Yes, send me news.',
}
const addressOf = (word: string, n: number) => `${word}-${n}@example.com`

/** People whom nobody asked. */
function invented(word: string, n: number) {
  return Array.from({ length: n }, (_, i) => ({
    email: addressOf(word, i),
    consent: { email: claim },
  }))
}

async function upsertAll(caller: EntryCaller, people: readonly object[]) {
  for (const person of people) await caller.get('contact.upsert', person)
}

/** Waits for the jobs that the calls before it queued. */
async function afterJobs(caller: EntryCaller, word: string) {
  const to = `${word}-last@example.com`
  await caller.get('email.send', { to, subject: 'Last', text: word })
  await eventually(
    () => mailsTo(to),
    (mails) => mails.length === 1,
  )
}

test('60 consents invented by one call are mailed to the owners, once a day', async () => {
  const { businessId, assistant, toldOwner } = await scene()
  const second = await newMember(testbed.db, { businesses: [businessId] })
  await assistant.get('contact.import', { contacts: invented('crowd', 60) })
  const [mail] = await eventually(toldOwner, (mails) => mails.length > 0)
  assert.match(mail?.subject ?? '', /^60 people subscribed by a connected app today$/)
  const { appUrl } = testbed.service.config
  for (const part of ['Helper', '/contacts', `${appUrl}/b/connections`, '/members']) {
    assert.ok(mail?.text.includes(part), `${part}: ${mail?.text}`)
  }
  await eventually(
    () => mailsTo(`${second}@example.com`),
    (mails) => mails.length > 0,
  )
  await upsertAll(assistant, invented('more', 25))
  await afterJobs(assistant, 'more')
  assert.equal((await toldOwner()).length, 1)
})

test('20 consents of a day are quiet, and the next one is not, whichever way it comes', async () => {
  const ways: Record<string, (caller: EntryCaller, person: object) => Promise<unknown>> = {
    upsert: (caller, person) => caller.get('contact.upsert', person),
    import: (caller, person) => caller.get('contact.import', { contacts: [person] }),
  }
  for (const [way, add] of Object.entries(ways)) {
    const { assistant, toldOwner } = await scene()
    const people = invented(way, 21)
    await upsertAll(assistant, people.slice(0, 20))
    // Saying the same again, or saying nothing of consent, is no new consent.
    await upsertAll(assistant, people.slice(0, 20))
    await assistant.get('contact.import', { contacts: [{ email: addressOf(way, 99) }] })
    await afterJobs(assistant, way)
    assert.deepEqual(await toldOwner(), [], way)
    await add(assistant, people[20] as object)
    const [mail] = await eventually(toldOwner, (mails) => mails.length > 0)
    assert.match(mail?.subject ?? '', /^21 people/, way)
  }
})

test('consent that a connection claims for the people of a file is counted too', async () => {
  const { assistant, toldOwner } = await scene()
  const { import_id, upload_url } = await assistant.get<{ import_id: string; upload_url: string }>(
    'import.create',
    { file_name: 'people.csv' },
  )
  const body = `email\n${invented('file', 150)
    .map(({ email }) => email)
    .join('\n')}\n`
  assert.equal((await fetch(upload_url, { method: 'PUT', body })).status, 201)
  const reaches = (wanted: string) =>
    eventually(
      () => assistant.get<{ state: string }>('import.get', { import_id }),
      ({ state }) => state === wanted,
    )
  await reaches('ready')
  const { source, text } = claim
  await assistant.get('import.confirm', { import_id, consent: { email: { source, text } } })
  await reaches('done')
  const [mail] = await eventually(toldOwner, (mails) => mails.some(isOfConsents))
  await afterJobs(assistant, 'file')
  assert.equal((await toldOwner()).filter(isOfConsents).length, 1, mail?.subject)
})

test('connections at once are counted each alone, and API keys are not counted', async () => {
  const shop = await scene()
  const userId = await newMember(testbed.db, { businesses: [shop.businessId] })
  const other = await testbed.caller({ businesses: [shop.businessId], userId })
  const { secret } = await newApiKey(testbed.db, { businessId: shop.businessId })
  const key = restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  await Promise.all([
    upsertAll(shop.assistant, invented('left', 15)),
    upsertAll(other, invented('right', 15)),
    key.get('contact.import', { contacts: invented('key', 60) }),
  ])
  await afterJobs(shop.assistant, 'counted')
  assert.deepEqual(await shop.toldOwner(), [])
  const all = invented('left', 40).slice(15)
  await Promise.all(all.map((person) => shop.assistant.get('contact.upsert', person)))
  await eventually(shop.toldOwner, (mails) => mails.length > 0)
  await afterJobs(other, 'counted-again')
  assert.equal((await shop.toldOwner()).length, 1)
})

test('an unsubscribe that an assistant takes back is asked of the person by mail', async () => {
  const { businessId, assistant } = await scene()
  const email = `left-${businessId}@example.com`
  const { secret } = await newApiKey(testbed.db, { businessId })
  const key = restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  await key.get('contact.upsert', { email, consent: { email: claim } })
  const no = { status: 'unsubscribed', source: 'phone call' }
  const { contact_id } = await key.get<{ contact_id: string }>('contact.upsert', {
    email,
    consent: { email: no },
  })
  const at = new Date(Date.now() + 60_000).toISOString()
  const answer = await assistant.get<{ warnings: string[] }>('contact.upsert', {
    email,
    consent: { email: { ...claim, at } },
  })
  assert.match(String(answer.warnings), /A mail asks them to confirm/)
  const { consent } = await key.get<{ consent: { email: { status: string } } }>('contact.get', {
    contact_id,
  })
  assert.equal(consent.email.status, 'pending')
  const [asked] = await eventually(
    () => mailsTo(email),
    (mails) => mails.length > 0,
  )
  assert.match(asked?.text ?? '', /\/confirm\//)
})

test('of the people whom an assistant would bring back, 20 a day are asked', async () => {
  const { businessId, assistant } = await scene()
  const { secret } = await newApiKey(testbed.db, { businessId })
  const key = restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  const emails = Array.from({ length: 26 }, (_, i) => addressOf(`gone-${businessId}`, i))
  const contacts = (consent: object) => emails.map((email) => ({ email, consent }))
  await key.get('contact.import', { contacts: contacts({ email: claim }) })
  const no = { status: 'unsubscribed', source: 'phone call' }
  await Promise.all(contacts({ email: no }).map((left) => key.get('contact.upsert', left)))
  const at = new Date(Date.now() + 60_000).toISOString()
  await upsertAll(assistant, contacts({ email: { ...claim, at } }))
  const asked = async () => {
    const { n } = await testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from confirmations
      where business_id = ${businessId} and mailed_at is not null
    `)
    return n
  }
  await eventually(asked, (n) => n >= 20)
  await afterJobs(assistant, `gone-${businessId}`)
  assert.equal(await asked(), 20)
  // Nobody is subscribed meanwhile.
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*)::int as n from contacts
    where business_id = ${businessId} and email_consent = 'subscribed'
  `)
  assert.equal(n, 0)
})
