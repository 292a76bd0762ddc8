import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { FakeMessages } from '../../../tests/support/mail/fake-messages.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { complaintAddress } from '../lib/email/complaint-address.ts'
import { returnPath } from '../messages/return-path.ts'
import { ingestBounce, isOurs } from './ingest-bounce.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00Z')
const domain = 'send.shop.test'
const folder = path.join(import.meta.dirname, '../../../tests/corpus/reports')
const corpus = (name: string) => readFileSync(path.join(folder, `${name}.eml`), 'utf8')

async function setUpBounces() {
  const messages = new FakeMessages()
  const deps = { db: database.db, vault: testVault, messages }
  const message = messages.sent(await newBusiness(database.db))
  const back = returnPath(testVault, message.id, domain)
  const take = (source: string, recipient = back) =>
    ingestBounce(deps, { recipient, source: Buffer.from(source), now })
  return { messages, message, back, take, told: () => messages.news.map(({ event }) => event) }
}

test('a bounce is assigned to the message of the return path that it was sent to', async () => {
  const { messages, message, take } = await setUpBounces()
  assert.equal(await take(corpus('postfix-hard')), 'taken')
  assert.deepEqual(
    messages.news.map(({ event, messageId, code }) => [event, messageId, code]),
    [['bounced', message.id, '5.1.1']],
  )
  assert.equal(await take(corpus('postfix-hard')), 'repeated')
})

test('delivered, delayed and failed notices become delivered, deferred and bounced events', async () => {
  const { take, told } = await setUpBounces()
  for (const name of ['sendmail-delayed', 'postfix-delivered', 'exim-expired-full']) {
    assert.equal(await take(corpus(name)), 'taken', name)
  }
  assert.deepEqual(told(), ['deferred', 'delivered', 'bounced'])
})

test('a repeated notice without a Message-ID is recognised by its bytes', async () => {
  const { take, told } = await setUpBounces()
  const bare = corpus('sendmail-delayed').replace(/^Message-Id:.*\n/m, '')
  assert.deepEqual([await take(bare), await take(bare)], ['taken', 'repeated'])
  assert.equal(await take(bare.replace('4.4.1', '4.4.2')), 'taken')
  assert.deepEqual(told(), ['deferred', 'deferred'])
})

test('a complaint sent to the complaint address is assigned to its message by the return path', async () => {
  const { back, take, told } = await setUpBounces()
  const address = complaintAddress(testVault, domain)
  assert.equal(await take(corpus('arf-abuse').replaceAll('RETURN-PATH', back), address), 'taken')
  assert.deepEqual(told(), ['complained'])
})

test('a complaint that names no message of ours, or a forged return path, has no effect', async () => {
  const { back, take, told } = await setUpBounces()
  const address = complaintAddress(testVault, domain)
  // One digit is another.
  const forged = back.replace(/\.[0-9a-f]/, (found) => (found === '.0' ? '.1' : '.0'))
  for (const named of [forged, 'news@shop.test', '']) {
    const source = corpus('arf-abuse').replaceAll('RETURN-PATH', named)
    assert.equal(await take(source, address), 'no report')
  }
  assert.deepEqual(told(), [])
})

test('a mail that is not a report, such as a holiday reply or nonsense, has no effect', async () => {
  const { back, take, told } = await setUpBounces()
  const praise = corpus('arf-not-spam').replaceAll('RETURN-PATH', back)
  for (const source of [corpus('vacation'), praise, '', 'x', '\0'.repeat(1_000)]) {
    assert.equal(await take(source), 'no report')
  }
  assert.deepEqual(told(), [])
})

test('only return paths and the complaint address are accepted as recipients', async () => {
  const { back } = await setUpBounces()
  const fbl = complaintAddress(testVault, domain)
  assert.ok(
    isOurs(testVault, back) && isOurs(testVault, fbl) && isOurs(testVault, fbl.toUpperCase()),
  )
  for (const address of ['postmaster@x', 'fbl@x', `${fbl.slice(0, 10)}@x`, 'b+x@x', `x${back}`]) {
    assert.ok(!isOurs(testVault, address), address)
  }
})
