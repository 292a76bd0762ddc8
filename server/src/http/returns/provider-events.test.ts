/** Notifications of providers over HTTP, through the path that all reports share. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
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
import { formatId, type Id, newId } from '../../core/ids.ts'
import { findMessage } from '../../messages/model/read-queries.ts'
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
