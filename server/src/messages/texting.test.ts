import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { readConfig } from '../config.ts'
import { isRefusal } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { createPhonesTransport } from '../core/inbox/phones.ts'
import { createTexting } from './texting.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const textingWith = (settings: Record<string, string>) =>
  createTexting({
    clock: new ManualClock(),
    simulator: createPhonesTransport({ db: database.db, clock: new ManualClock() }),
    log: silentLog,
    config: readConfig(settings),
    senderProfileOf: async () => undefined,
    listenerOn: () => ({ receipt: async () => {}, inbound: async () => {} }),
  })

const senderOf = (settings: Record<string, string>) =>
  textingWith(settings).senders.textSenderOf(newId('business'))

test('without an SMS provider texts go to the inbox’s phones, from a fictional number', async () => {
  assert.equal(textingWith({}).provider, 'inbox')
  const sender = await senderOf({})
  assert.ok(!isRefusal(sender) && sender.from === '+12025550100')
})

test('texts are refused before queueing on a public service without a provider or an allowed inbox', async () => {
  const open = { BASE_URL: 'https://crier.example', SMTP_URL: 'smtp://relay.example' }
  const sender = await senderOf(open)
  assert.ok(isRefusal(sender) && /SMS_URL/.test(sender.message))
  assert.ok(!isRefusal(await senderOf({ ...open, ALLOW_INBOX: 'yes' })))
  const { textSenderOf } = textingWith(open).senders
  assert.ok(!isRefusal(await textSenderOf(newId('business'), '+9990001')))
})

test('SMS_URL selects the provider, and Twilio needs a sender', async () => {
  const twilio = 'twilio://AC1:token@api.twilio.com'
  assert.equal(textingWith({ SMS_URL: twilio }).provider, 'twilio')
  assert.ok(isRefusal(await senderOf({ SMS_URL: twilio })))
  const sender = await senderOf({ SMS_URL: `${twilio}?from=12345` })
  assert.ok(!isRefusal(sender) && sender.from === '12345')
})
