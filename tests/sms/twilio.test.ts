/** The same with a provider that has Twilio's interface, and signs its calls. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { type FakeTwilio, startFakeTwilio, twilioError } from '../support/sms/fake-twilio.ts'
import { eventually } from '../support/time/eventually.ts'

const number = '+15005550006'
const phone = '+33612345678'

let twilio: FakeTwilio
let testbed: OwnTestbed
before(async () => {
  twilio = await startFakeTwilio()
  const SMS_URL = twilio.url(`&from=${encodeURIComponent(number)}`)
  testbed = await openTestbed({ settings: { SMS_URL } })
})
after(async () => {
  await testbed?.close()
  twilio?.close()
})

test('a text is delivered by Twilio, and STOP is confirmed and blocks the next text', async () => {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const { message_id } = await owner.get<{ message_id: string }>('sms.send', {
    to: phone,
    text: 'Hello',
  })
  const [first] = await eventually(
    () => twilio.taken,
    ({ length }) => length === 1,
  )
  const form = first?.form
  assert.deepEqual(
    [form?.get('To'), form?.get('From'), form?.get('Body')],
    [phone, number, 'Hello'],
  )
  const endpoint = form?.get('StatusCallback') ?? ''
  const receipt = { MessageSid: first?.sid ?? '', MessageStatus: 'delivered' }
  assert.equal(await twilio.call(endpoint, receipt), 200)
  const status = async () =>
    (await owner.get<{ status: string }>('message.get', { message_id })).status
  assert.equal(await eventually(status, (now) => now === 'delivered'), 'delivered')

  const stop = { MessageSid: 'SM1', From: phone, To: number, Body: 'Stop!' }
  assert.equal(await twilio.call(endpoint, stop), 200)
  const [, answer] = await eventually(
    () => twilio.taken,
    ({ length }) => length === 2,
  )
  assert.match(answer?.form.get('Body') ?? '', /no more texts/)
  const { kind } = await owner.call('sms.send', { to: phone, text: 'Hello again' })
  assert.equal(kind, 'refusal')
})

/** Somebody who gets texts, with the endpoint that Twilio calls. */
async function subscriber(to: string) {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    phone: to,
    consent: { sms: { status: 'subscribed', source: 'a test' } },
  })
  const send = () => owner.get<{ message_id: string }>('sms.send', { to, text: `Hi ${sent++}` })
  const status = async (message_id: string) =>
    (await owner.get<{ status: string }>('message.get', { message_id })).status
  const { message_id } = await send()
  await eventually(
    () => status(message_id),
    (now) => now === 'accepted',
  )
  const get = () =>
    owner.get<{ consent: { sms: { status: string } } }>('contact.get', { contact_id })
  return { owner, send, status, consent: async () => (await get()).consent.sms.status }
}
let sent = 0

test('a keyword that the account configured in another language is the person’s STOP', async () => {
  const endpoint = `${testbed.service.url}/hooks/sms/twilio`
  for (const [index, Body] of ['ARRET', 'Quiero salir', 'no gracias', 'Fertig damit'].entries()) {
    const to = `+1202555014${index}`
    const { owner, consent } = await subscriber(to)
    const form = { MessageSid: `SM10${index}`, From: to, To: number, NumMedia: '0' }
    const call = { ...form, Body, OptOutType: 'STOP' }
    assert.equal(await twilio.call(endpoint, call), 200)
    assert.equal(await consent(), 'unsubscribed', Body)
    assert.equal((await owner.call('sms.send', { to, text: 'Again' })).kind, 'refusal')
    const start = { ...form, MessageSid: `SM20${index}`, Body: 'VUELVO', OptOutType: 'START' }
    assert.equal(await twilio.call(endpoint, start), 200)
    assert.equal(await consent(), 'subscribed', Body)
  }
})

test('Twilio’s 21610 is recorded as the person’s STOP, at once or by a later receipt', async () => {
  const to = '+12025550151'
  const { owner, send, status, consent } = await subscriber(to)
  const words = 'Attempt to send to unsubscribed recipient'
  twilio.next(twilioError(400, 21610, words))
  const { message_id } = await send()
  assert.equal(
    await eventually(
      () => status(message_id),
      (now) => now === 'suppressed',
    ),
    'suppressed',
  )
  assert.equal(await consent(), 'unsubscribed')
  assert.equal((await owner.call('sms.send', { to, text: 'Again' })).kind, 'refusal')
  const listed = async (phone: string, caller = owner) =>
    JSON.stringify(await caller.get('suppression.list', { phone }))
  assert.match(await listed(to), /"stop"/)

  const other = '+12025550152'
  const second = await subscriber(other)
  const before = twilio.taken.length
  const late = await second.send()
  await eventually(
    () => twilio.taken,
    ({ length }) => length > before,
  )
  const taken = twilio.taken.at(-1)
  await eventually(
    () => second.status(late.message_id),
    (now) => now === 'accepted',
  )
  const receipt = { MessageSid: taken?.sid ?? '', MessageStatus: 'failed', ErrorCode: '21610' }
  assert.equal(await twilio.call(taken?.form.get('StatusCallback') ?? '', receipt), 200)
  assert.equal(
    await eventually(
      () => second.status(late.message_id),
      (now) => now === 'failed',
    ),
    'failed',
  )
  assert.equal(await second.consent(), 'unsubscribed')
  assert.match(await listed(other, second.owner), /"stop"/)
})

test('a Twilio callback with a wrong signature gets 401', async () => {
  const endpoint = `${testbed.service.url}/hooks/sms/twilio`
  const body = new URLSearchParams({ MessageSid: 'SM2', From: phone, To: number, Body: 'START' })
  const headers = { 'x-twilio-signature': Buffer.alloc(20).toString('base64') }
  assert.equal((await fetch(endpoint, { method: 'POST', headers, body })).status, 401)
})
