/** Notifications of providers over HTTP, through the path that all reports share. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsOf,
  eventsOf,
  saveOne,
  suppressAddress,
  toSave,
} from '../../../../tests/support/businesses/contacts.ts'
import { noOutcomes } from '../../../../tests/support/businesses/outcomes.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { type ExampleProvider, examples } from '../../../../tests/support/mail/provider-examples.ts'
import {
  login,
  mailgunKey,
  requestOf,
  svixSecret,
} from '../../../../tests/support/mail/provider-requests.ts'
import { savedMessage } from '../../../../tests/support/mail/saved-message.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { providersOf } from '../../bounces/providers/set-up.ts'
import { createFeedback } from '../../composition/feedback.ts'
import { readProviders } from '../../config/providers.ts'
import { limits } from '../../config.ts'
import { suppressionsOf } from '../../contacts/suppressions/suppression.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { findMessage } from '../../messages/view.ts'
import { createServer } from '../server.ts'
import { registerProviderEvents } from './provider-events.ts'

const now = new Date('2026-11-20T10:00:00Z')
const clock = { now: () => now }
const settings: Record<string, string> = {
  POSTMARK_LOGIN: login,
  BREVO_LOGIN: login,
  MAILJET_LOGIN: login,
  MAILGUN_KEY: mailgunKey,
  RESEND_KEY: svixSecret,
}
const server = createServer({
  log: silentLog,
  bodyLimit: limits.bodyBytes,
  trustProxy: false,
  https: false,
})
const all = Object.keys(examples) as ExampleProvider[]

let database: TestDatabase
let businessId: Id<'business'>
before(async () => {
  database = await testDatabase()
  const { db } = database
  businessId = await newBusiness(db)
  const vault = testVault
  const senderProfileOf = (() => assert.fail()) as never
  const { reports } = createFeedback({ db, clock, vault, senderProfileOf, outcomes: noOutcomes })
  const config = { slug: 'svc', ...readProviders((name) => settings[name]) }
  const providers = providersOf({ config, vault, fetch: async () => undefined })
  registerProviderEvents(server, { providers, reports, clock, log: silentLog })
})
after(async () => {
  await server.close()
  await database.drop()
})

/** Sends the notification, and returns the status and how many reports were new. */
async function send(provider: ExampleProvider, payload: unknown): Promise<unknown[]> {
  const { body, headers } = requestOf(provider, payload, now)
  const url = `/hooks/email/${provider}`
  const answer = await server.inject({ method: 'POST', url, headers, payload: body })
  return [answer.statusCode, answer.json().taken]
}

async function storedOf(id: Id<'message'>): Promise<unknown[]> {
  const message = await findMessage(database.db, businessId, id)
  const events = await eventsOf(database.db, businessId)
  const about = events.filter(({ data }) => data['message_id'] === formatId('message', id))
  return [message?.state, about.map(({ type }) => type).toSorted()]
}

test('notifications of a failure, doubled and before those of what came earlier, count once', async () => {
  for (const provider of all) {
    const id = await savedMessage(database.db, businessId, now)
    const { bounced, delivered, deferred, other } = examples[provider](formatId('message', id))
    assert.deepEqual(await send(provider, bounced), [200, 1], provider)
    assert.deepEqual(await send(provider, bounced), [200, 0], provider)
    assert.deepEqual(await send(provider, deferred), [200, 1], provider)
    assert.deepEqual(await send(provider, delivered), [200, 1], provider)
    assert.deepEqual(await send(provider, other), [200, 0], provider)
    const [state, types] = await storedOf(id)
    assert.equal(state, 'bounced', provider)
    assert.equal((types as string[]).filter((type) => type === 'message.bounced').length, 1)
  }
})

test('a complaint after the delivery suppresses the person, though their order is reversed', async () => {
  for (const provider of all) {
    const id = await savedMessage(database.db, businessId, now)
    const { complained, delivered } = examples[provider](formatId('message', id))
    assert.deepEqual(await send(provider, complained), [200, 1], provider)
    assert.deepEqual(await send(provider, delivered), [200, 1], provider)
    const [state, types] = await storedOf(id)
    assert.equal(state, 'delivered', provider)
    assert.ok((types as string[]).includes('message.complained'), provider)
  }
})

const leaving = ['postmark', 'mailgun', 'brevo', 'mailjet'] as const

/** A mail to a subscriber, and what became of the subscriber since. */
async function mailToSubscriber(isOfContact = true) {
  const { db } = database
  const id = await savedMessage(db, businessId, now)
  const { email } = await db.one<{ email: string }>(
    sql`select recipient as email from messages where id = ${id}`,
  )
  const consent = { email: { status: 'subscribed', source: 'checkout' } } as const
  const saved = await saveOne(db, toSave(businessId, { email, consent }))
  if (!('id' in saved)) throw saved
  const contactId = isOfContact ? saved.id : null
  await db.run(sql`update messages set contact_id = ${contactId} where id = ${id}`)
  const person = async () =>
    (await contactsOf(db, businessId)).find((contact) => contact.id === saved.id)
  return {
    id,
    email,
    contactId: saved.id,
    message: formatId('message', id),
    consent: async () => (await person())?.consent.email,
    ledger: async () =>
      (await consentsOf(db, businessId)).filter((entry) => entry.contactId === saved.id),
    reasons: async () => {
      const found = await suppressionsOf(db, testVault.hmac, businessId, { email, phone: null })
      return found.map(({ reason, source }) => `${reason} by ${source}`)
    },
  }
}

test('whoever unsubscribes at the provider is unsubscribed, once, and the ledger says where', async () => {
  for (const provider of leaving) {
    for (const isOfContact of [true, false]) {
      const { message, id, consent, ledger, reasons } = await mailToSubscriber(isOfContact)
      const { unsubscribed } = examples[provider](message)
      assert.deepEqual(await send(provider, unsubscribed), [200, 1], provider)
      assert.equal(await consent(), 'unsubscribed', provider)
      assert.deepEqual(await send(provider, unsubscribed), [200, 0], provider)
      const entries = await ledger()
      assert.deepEqual(
        entries.map(({ action, source }) => [action, source]),
        [
          ['subscribed', 'checkout'],
          ['unsubscribed', `provider ${provider}, ${message}`],
        ],
      )
      assert.deepEqual(await reasons(), [], 'the consent alone changes, as by our own link')
      const { n } = await database.db.one<{ n: number }>(sql`
        select count(*) as n from message_events
        where message_id = ${id} and type = 'unsubscribed'`)
      assert.equal(n, 1)
    }
  }
})

test('a no of somebody who had unsubscribed already is no second one', async () => {
  const { message, id, ledger } = await mailToSubscriber()
  const { unsubscribed } = examples.postmark(message)
  await send('postmark', unsubscribed)
  const later = { ...unsubscribed, ChangedAt: '2020-02-02T10:53:34.416071Z' }
  assert.deepEqual(await send('postmark', later), [200, 1])
  assert.equal((await ledger()).length, 2)
  const { n } = await database.db.one<{ n: number }>(sql`
    select count(*) as n from message_events where message_id = ${id} and type = 'unsubscribed'`)
  assert.equal(n, 1)
})

test('that an address was let through again at the provider is no consent', async () => {
  const { message, consent } = await mailToSubscriber()
  const { unsubscribed } = examples.postmark(message)
  await send('postmark', unsubscribed)
  const again = {
    ...unsubscribed,
    SuppressSending: false,
    SuppressionReason: null,
    ChangedAt: '2020-02-02T00:00:00Z',
  }
  assert.deepEqual(await send('postmark', again), [200, 0])
  assert.equal(await consent(), 'unsubscribed')
})

test('changes of Postmark’s suppressions by other causes are no unsubscription', async () => {
  const { message, consent, reasons } = await mailToSubscriber()
  const { unsubscribed } = examples.postmark(message)
  for (const changes of [
    { SuppressionReason: 'HardBounce' },
    { Origin: 'Customer' },
    { Origin: 'Admin' },
  ]) {
    assert.deepEqual(await send('postmark', { ...unsubscribed, ...changes }), [200, 0])
  }
  assert.equal(await consent(), 'subscribed')
  const complaint = { ...unsubscribed, SuppressionReason: 'SpamComplaint' }
  assert.deepEqual(await send('postmark', complaint), [200, 1])
  assert.deepEqual(await reasons(), ['complaint by provider postmark'])
})

test('the bounces by which providers say that a person had unsubscribed are their no', async () => {
  const asBounce = {
    postmark: (message: string) => ({ ...examples.postmark(message).bounced, Type: 'Unsubscribe' }),
    mailgun: (message: string) => ({
      ...examples.mailgun(message).untried,
      reason: 'suppress-unsubscribe',
    }),
    brevo: (message: string) => ({
      ...examples.brevo(message).untried,
      reason: 'blocked : due to unsubscribed user',
    }),
  }
  for (const [provider, payloadOf] of Object.entries(asBounce)) {
    const { message, consent, reasons } = await mailToSubscriber()
    const [status] = await send(provider as ExampleProvider, payloadOf(message))
    assert.deepEqual(
      [status, await consent(), await reasons()],
      [200, 'unsubscribed', []],
      provider,
    )
  }
})

test('the no of an address without a contact keeps marketing from it', async () => {
  const { message, reasons, contactId } = await mailToSubscriber(false)
  await database.db.run(sql`delete from contacts where id = ${contactId}`)
  const { unsubscribed } = examples.mailjet(message)
  assert.deepEqual(await send('mailjet', unsubscribed), [200, 1])
  assert.deepEqual(await send('mailjet', unsubscribed), [200, 0])
  assert.deepEqual(await reasons(), ['unsubscribed by provider mailjet, '.concat(message)])
})

test('the no of a contact whose address changed since counts for the contact and the old address', async () => {
  const { message, reasons, consent, contactId } = await mailToSubscriber()
  await database.db.run(
    sql`update contacts set email = ${`new-${contactId}@example.com`} where id = ${contactId}`,
  )
  assert.deepEqual(await send('brevo', examples.brevo(message).unsubscribed), [200, 1])
  assert.equal(await consent(), 'unsubscribed')
  assert.deepEqual(await reasons(), [`unsubscribed by provider brevo, ${message}`])
})

test('a stricter suppression stays when the person unsubscribes too', async () => {
  const { message, reasons, email, consent } = await mailToSubscriber()
  await suppressAddress(database.db, businessId, email, 'bounce')
  await send('mailgun', examples.mailgun(message).unsubscribed)
  assert.equal(await consent(), 'unsubscribed')
  assert.equal((await reasons())[0]?.split(' ')[0], 'bounce')
})

test('notifications of unknown messages are accepted, so that the provider sends them no more', async () => {
  for (const provider of all) {
    const unknown = examples[provider](formatId('message', newId('message'))).bounced
    assert.deepEqual(await send(provider, unknown), [200, 0], provider)
    assert.deepEqual(await send(provider, examples[provider]('helloworld').bounced), [200, 0])
  }
})

test('a group with two copies of a notification records it once', async () => {
  const id = await savedMessage(database.db, businessId, now)
  const { delivered, deferred } = examples.mailjet(formatId('message', id))
  assert.deepEqual(await send('mailjet', [delivered, deferred, delivered, deferred]), [200, 2])
})

test('a notification without its proof answers 401, and an unknown provider 404', async () => {
  for (const provider of [...all, 'sparkpost']) {
    const payload = examples.brevo(formatId('message', newId('message'))).bounced
    const url = `/hooks/email/${provider}`
    const answer = await server.inject({ method: 'POST', url, payload })
    assert.equal(answer.statusCode, provider === 'sparkpost' ? 404 : 401, provider)
  }
})
