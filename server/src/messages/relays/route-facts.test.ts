import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { newId } from '../../core/ids.ts'
import { createRouteFacts, reportsComplaints } from './route-facts.ts'

const businessId = newId('business')

/** The facts of a channel with these settings, as `leaves, delivery, complaints`. */
async function factsOf(settings: Record<string, string>, channel: 'email' | 'sms' = 'email') {
  const config = readConfig(settings)
  const relay = { url: undefined, profile: undefined }
  const relays = { chosenFor: async () => relay as never }
  const facts = await createRouteFacts(config, relays)(businessId, channel)
  return [facts.leavesMachine, facts.deliveryReported, facts.complaintsReported]
}

const own = 'smtp://relay.example:587'
const bounces = { BOUNCE_DOMAIN: 'bounces.example.com' }
const ses = {
  SMTP_URL: 'smtp://u:p@email-smtp.eu-west-1.amazonaws.com:587',
  SES_TOPICS: 'arn:aws:sns:eu-west-1:123456789012:crier',
}

test('without a mail server or an SMS provider nothing leaves this machine', async () => {
  assert.deepEqual(await factsOf({}), [false, false, false])
  assert.deepEqual(await factsOf(bounces), [false, false, false])
  assert.deepEqual(await factsOf({}, 'sms'), [false, false, false])
})

test('a relay reports what comes back by mail: complaints, and arrivals only where asked to', async () => {
  assert.deepEqual(await factsOf({ SMTP_URL: own }), [true, false, false])
  assert.deepEqual(await factsOf({ SMTP_URL: own, ...bounces }), [true, false, true])
  const all = { SMTP_URL: `${own}?receipts=all`, ...bounces }
  assert.deepEqual(await factsOf(all), [true, true, true])
  // Without a return path of ours no receipt comes back.
  assert.deepEqual(await factsOf({ SMTP_URL: `${own}?receipts=all` }), [true, false, false])
})

test('a provider reports where its notifications are received, and its mail where they are not', async () => {
  assert.deepEqual(await factsOf(ses), [true, true, true])
  const { SMTP_URL } = ses
  assert.deepEqual(await factsOf({ SMTP_URL, ...bounces }), [true, false, false])
  const other = { SMTP_URL, POSTMARK_LOGIN: 'somebody:a-long-password-1' }
  assert.deepEqual(await factsOf(other), [true, false, false])
  assert.deepEqual(await factsOf({ SMTP_URL: own, SES_TOPICS: ses.SES_TOPICS }), [true, true, true])
})

test('texts are reported by their provider, by Kannel only where it may call', async () => {
  const twilio = { SMS_URL: 'twilio://AC0123456789abcdef0123456789abcdef:token@api.twilio.com' }
  assert.deepEqual(await factsOf(twilio, 'sms'), [true, true, false])
  const kannel = 'kannel://user:password@host.example:13013'
  assert.deepEqual(await factsOf({ SMS_URL: kannel }, 'sms'), [true, false, false])
  const called = { SMS_URL: `${kannel}?key=a-long-key-of-16-characters` }
  assert.deepEqual(await factsOf(called, 'sms'), [true, true, false])
})

test('Gmail and iCloud report no complaints, whoever asks', () => {
  const providers = ['gmail', 'apple', 'yahoo', 'microsoft', 'cafe.test', null]
  assert.deepEqual(providers.filter(reportsComplaints), ['yahoo', 'microsoft', 'cafe.test', null])
})
