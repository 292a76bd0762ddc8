import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { FakeMessages } from '../../../tests/support/mail/fake-messages.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { limits } from '../config.ts'
import { suppressionsOf } from '../contacts/suppressions/suppression.ts'
import { type Id, newId } from '../core/ids.ts'
import { classify } from '../lib/email/classify.ts'
import { ingestReports } from './ingest-reports.ts'
import type { Report } from './report.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00Z')
const email = 'ana@example.com'

type Message = { id: Id<'message'> }

function failure({ id }: Message, status: string, identity = 'one'): Report {
  const verdict = classify({ action: 'failed', status, text: '' })
  const told = { messageId: id, at: now, source: 'delivery report', identity }
  return { ...told, event: 'bounced', words: `smtp; 550 ${status} no`, verdict }
}

function reportOf({ id }: Message, event: 'delivered' | 'complained'): Report {
  return { messageId: id, at: now, source: 'provider', identity: 'x', event, words: 'abuse' }
}

async function setUpReports() {
  const { db } = database
  const messages = new FakeMessages()
  const businessId = await newBusiness(db)
  const deps = { db, vault: testVault, messages }
  return {
    messages,
    businessId,
    take: (...reports: Report[]) => ingestReports(deps, reports, now),
    async reasons(business = businessId) {
      const found = await suppressionsOf(db, testVault.hmac, business, { email, phone: null })
      return found.map(({ reason }) => reason)
    },
  }
}

test('a hard bounce suppresses the address and is reported with the remote server’s text', async () => {
  const { messages, businessId, take, reasons } = await setUpReports()
  const message = messages.sent(businessId)
  assert.equal(await take(failure(message, '5.1.1')), 1)
  assert.deepEqual(await reasons(), ['bounce'])
  const [news] = messages.news
  assert.deepEqual(
    [news?.event, news?.code, news?.text, news?.bounce],
    ['bounced', '5.1.1', 'smtp; 550 5.1.1 no', { kind: 'hard', suppressed: true }],
  )
})

test('a complaint suppresses the address for its own business only', async () => {
  const { messages, businessId, take, reasons } = await setUpReports()
  const other = await newBusiness(database.db)
  await take(reportOf(messages.sent(businessId), 'complained'))
  assert.deepEqual([await reasons(), await reasons(other)], [['complaint'], []])
})

test('an unsubscription at the provider suppresses an address of nobody, for its own business only', async () => {
  const { messages, businessId, take, reasons } = await setUpReports()
  const other = await newBusiness(database.db)
  const { id } = messages.sent(businessId)
  const facts = { messageId: id, at: now, source: 'provider', words: '' }
  const report = { ...facts, identity: 'x', event: 'unsubscribed' } as const
  assert.equal(await take(report), 1)
  assert.equal(await take(report), 0)
  assert.deepEqual([await reasons(), await reasons(other)], [['unsubscribed'], []])
  assert.deepEqual(
    messages.news.map(({ event }) => event),
    ['unsubscribed'],
  )
  assert.equal(await take({ ...report, identity: 'y' }), 1)
  assert.equal(messages.news.length, 1, 'a second no is no news')
})

test('a STOP that the provider reports stops texts of that sender, and is no failure of the number', async () => {
  const { messages, businessId, take } = await setUpReports()
  const { id } = messages.sent(businessId, '+33612345678')
  const verdict = { kind: 'unknown', status: '21610', final: true, slower: false } as const
  const facts = { messageId: id, at: now, source: 'receipt of twilio', identity: 'x' }
  const words = 'Attempt to send to unsubscribed recipient'
  await take({ ...facts, words, event: 'bounced', verdict, hasStopped: true })
  const phone = '+33612345678'
  const found = await suppressionsOf(database.db, testVault.hmac, businessId, {
    email: null,
    phone,
  })
  assert.deepEqual(
    found.map(({ reason }) => reason),
    ['stop'],
  )
  assert.deepEqual(messages.news[0]?.bounce, { kind: 'unknown', suppressed: false })
})

test('a policy bounce pauses the stream and does not suppress the recipient', async () => {
  const { messages, businessId, take, reasons } = await setUpReports()
  const message = messages.sent(businessId)
  await take(failure(message, '5.7.1'))
  assert.deepEqual([messages.paused, await reasons()], [[message.id], []])
  assert.equal(messages.news[0]?.bounce?.kind, 'policy')
})

test('consecutive soft bounces suppress an address when they reach the limit, and not before', async () => {
  const { messages, businessId, take, reasons } = await setUpReports()
  for (let n = 1; n < limits.softBounces; n++) {
    await take(failure(messages.sent(businessId), '4.2.2'))
  }
  assert.deepEqual(await reasons(), [])
  await take(failure(messages.sent(businessId), '4.2.2'))
  assert.deepEqual(await reasons(), ['bounce'])
  const told = messages.news.map((report) => report.bounce?.suppressed)
  assert.deepEqual(told, [...Array(limits.softBounces - 1).fill(false), true])
})

test('a delivery resets the count of soft bounces, and throttling does not add to it', async () => {
  const { messages, businessId, take, reasons } = await setUpReports()
  for (let n = 1; n < 2 * limits.softBounces; n++) {
    if (n === limits.softBounces) await take(reportOf(messages.sent(businessId), 'delivered'))
    else await take(failure(messages.sent(businessId), '4.2.2'))
    await take(failure(messages.sent(businessId), '4.7.28'))
  }
  assert.deepEqual(await reasons(), [])
})

test('a report received twice, in sequence or at once, is recorded once', async () => {
  const { messages, businessId, take } = await setUpReports()
  const message = messages.sent(businessId)
  const same = failure(message, '4.2.2')
  const taken = await Promise.all([take(same), take(same), take(same, same)])
  assert.equal(
    taken.reduce((sum, n) => sum + n),
    1,
  )
  assert.equal(await take(same), 0)
  // A second report of the same failure, from another server, is not counted again.
  assert.equal(await take(failure(message, '4.2.2', 'another')), 0)
  assert.equal(messages.news.length, 1)
})

test('each reported delay of a message is recorded, and a repeated one only once', async () => {
  const { messages, businessId, take } = await setUpReports()
  const { id } = messages.sent(businessId)
  const verdict = classify({ action: 'delayed', status: '4.4.1', text: '' })
  const delay = (identity: string): Report => {
    const told = { messageId: id, at: now, source: 'delivery report', words: '' }
    return { ...told, event: 'deferred', verdict, identity }
  }
  assert.equal(await take(delay('one'), delay('two'), delay('one')), 2)
})

test('a report of an unknown message has no effect', async () => {
  const { messages, take } = await setUpReports()
  assert.equal(await take(failure({ id: newId('message') }, '5.1.1')), 0)
  assert.equal(await take(), 0)
  assert.deepEqual(messages.news, [])
})
