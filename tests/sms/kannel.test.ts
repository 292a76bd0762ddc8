/** The same over HTTP: Kannel sends phones' answers, and its receipts, to our endpoint. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { type Kannel, startKannel, withoutKannel } from '../support/sms/kannel.ts'
import { eventually } from '../support/time/eventually.ts'

const skip = withoutKannel() ?? false
const number = '12345'
const phone = '+33612345678'
const key = 'a-key-of-ours'

let kannel: Kannel
let testbed: OwnTestbed
before(async () => {
  if (skip) return
  const port = String(await freePort())
  // The query that docs/design/sms-replies.md gives.
  const query = 'id=%I&from=%p&to=%P&text=%b&charset=%C&time=%T'
  const inboundUrl = `http://127.0.0.1:${port}/hooks/sms/kannel?key=${key}&${query}`
  kannel = await startKannel({ inboundUrl })
  const settings = { PORT: port, SMS_URL: kannel.url(`?key=${key}&from=${number}`) }
  testbed = await openTestbed({ settings })
})
after(async () => {
  await testbed?.close()
  await kannel?.stop()
})

test('a text is delivered by Kannel, and STOP is confirmed and blocks the next text', {
  skip,
}, async () => {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const { message_id } = await owner.get<{ message_id: string }>('sms.send', {
    to: phone,
    text: 'Hello',
  })
  const status = async () =>
    (await owner.get<{ status: string }>('message.get', { message_id })).status
  await eventually(status, (now) => now === 'delivered')
  await kannel.phoneSends(`${phone.slice(1)} ${number} text Stop!`)
  const answers = () => kannel.got.filter((text) => text.includes('no more texts'))
  await eventually(answers, ({ length }) => length === 1)
  const { replies } = await owner.get<{ replies: { meaning: string; to: string }[] }>('reply.list')
  assert.deepEqual(
    replies.map(({ meaning, to }) => [meaning, to]),
    [['stop', number]],
  )
  const { kind } = await owner.call('sms.send', { to: phone, text: 'Hello again' })
  assert.equal(kind, 'refusal')
})
