/** The same with a provider that has Twilio's interface, and signs its calls. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { type FakeTwilio, startFakeTwilio } from '../support/sms/fake-twilio.ts'
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

test('a Twilio callback with a wrong signature gets 401', async () => {
  const endpoint = `${testbed.service.url}/hooks/sms/twilio`
  const body = new URLSearchParams({ MessageSid: 'SM2', From: phone, To: number, Body: 'START' })
  const headers = { 'x-twilio-signature': Buffer.alloc(20).toString('base64') }
  assert.equal((await fetch(endpoint, { method: 'POST', headers, body })).status, 401)
})
