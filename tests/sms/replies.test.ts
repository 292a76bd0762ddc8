/**
 * The round trip by SMS: texts of the whole service are sent through a real SMSC, and phones'
 * answers come back over the same link.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { decodeGsm } from 'crier-server/lib/sms/gsm-alphabet.ts'
import { later, minutes } from 'crier-server/lib/time/clock.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { type Smsc, startSmsc, withoutSmsc } from '../support/sms/smsc.ts'
import { eventually } from '../support/time/eventually.ts'
import { ShiftedClock } from '../support/time/shifted-clock.ts'
import { zoneWhereItIs } from '../support/time/zones.ts'

const skip = withoutSmsc() ?? false
const number = '12345'

const clock = new ShiftedClock()
let smsc: Smsc
let testbed: OwnTestbed
before(async () => {
  if (skip) return
  smsc = await startSmsc()
  await smsc.order('receipts', { stat: 'DELIVRD' })
  testbed = await openTestbed({ clock, settings: { SMS_URL: smsc.url(`?from=${number}`) } })
})
after(async () => {
  await testbed?.close()
  await smsc?.stop()
})

/** The texts that the phone got, oldest first. */
const got = (phone: string) =>
  smsc
    .all('submit')
    .filter((row) => row['destination_addr'] === phone.slice(1))
    .map((row) => decodeGsm(Buffer.from(String(row['message']), 'hex')))

const untilGot = (phone: string, count: number) =>
  eventually(
    () => got(phone),
    ({ length }) => length >= count,
  )

let phones = 0

/** A shop, and a person with consent to its texts in a zone where it is noon. */
async function shopAndPerson() {
  const phone = `+3361234${String(5_000 + phones++)}`
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    phone,
    attributes: { time_zone: zoneWhereItIs(12) },
    consent: { sms: { status: 'subscribed', source: 'checkout' } },
  })
  return { phone, owner, contact_id }
}

const send = (owner: ToolCaller, input: object) =>
  owner.get<{ message_id: string; status: string }>('sms.send', { allow_duplicate: true, ...input })

const untilStatus = (owner: ToolCaller, message_id: string, status: string) =>
  eventually(
    async () => (await owner.get<{ status: string }>('message.get', { message_id })).status,
    (now) => now === status,
  )

test('STOP suppresses texts that were queued before it, and START allows texts again', {
  skip,
}, async () => {
  const { phone, owner, contact_id } = await shopAndPerson()
  const first = await send(owner, { contact_id, text: 'Hello', kind: 'marketing' })
  await untilStatus(owner, first.message_id, 'delivered')
  const send_at = later(clock.now(), minutes(1)).toISOString()
  const queued = await Promise.all(
    ['marketing', 'transactional'].map((kind) =>
      send(owner, { contact_id, text: `Later, ${kind}`, kind, send_at }),
    ),
  )
  await smsc.phoneSends(phone.slice(1), 'Stop.', number)
  const [, confirmation] = await untilGot(phone, 2)
  assert.match(confirmation ?? '', /You will get no more texts from this number/)
  clock.forward(minutes(1))
  for (const { message_id } of queued) await untilStatus(owner, message_id, 'suppressed')
  assert.equal(got(phone).length, 2, 'nothing else went out')

  await smsc.phoneSends(phone.slice(1), 'START', number)
  await eventually(
    () => owner.call('sms.send', { contact_id, text: 'Again', kind: 'marketing' }),
    ({ kind }) => kind === 'answer',
  )
  const texts = await untilGot(phone, 3)
  assert.equal(texts[2], 'Again', 'within five minutes nothing is confirmed again')
})

test('STOP blocks every business that texts from the same number, known to the person or not', {
  skip,
}, async () => {
  const { phone, owner } = await shopAndPerson()
  const known = await send(owner, { to: phone, text: 'From the first' })
  await untilStatus(owner, known.message_id, 'delivered')
  await smsc.phoneSends(phone.slice(1), 'stop', number)
  await untilGot(phone, 2)
  const other = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const { message_id } = await send(other, { to: phone, text: 'From another' })
  await untilStatus(other, message_id, 'suppressed')
  assert.equal(got(phone).length, 2)
})

test('HELP is answered with the name of the business that texted last, even after STOP', {
  skip,
}, async () => {
  const { phone, owner } = await shopAndPerson()
  const { message_id } = await send(owner, { to: phone, text: 'Hello' })
  await untilStatus(owner, message_id, 'delivered')
  await smsc.phoneSends(phone.slice(1), 'STOP', number)
  await untilGot(phone, 2)
  await smsc.phoneSends(phone.slice(1), 'Help', number)
  const texts = await untilGot(phone, 3)
  assert.match(texts[2] ?? '', /^A business: Reply STOP to end texts from this number\.$/)
})

test('other replies are stored, and a possible opt-out waits for a decision', {
  skip,
}, async () => {
  const { phone, owner, contact_id } = await shopAndPerson()
  const { message_id } = await send(owner, { to: phone, text: 'Hello' })
  await untilStatus(owner, message_id, 'delivered')
  await smsc.phoneSends(phone.slice(1), 'why do I keep getting this', number)
  const list = () =>
    owner.get<{ replies: { reply_id: string; contact_id: string; meaning: string }[] }>(
      'reply.list',
      { open: true },
    )
  const { replies } = await eventually(list, ({ replies: all }) => all.length > 0)
  assert.deepEqual([replies[0]?.contact_id, replies[0]?.meaning], [contact_id, 'opt_out'])
  await owner.get('reply.decide', { reply_id: replies[0]?.reply_id, decision: 'opt_out' })
  assert.deepEqual((await list()).replies, [])
  const { kind } = await owner.call('sms.send', { to: phone, text: 'Hello' })
  assert.equal(kind, 'refusal')
  assert.equal(got(phone).length, 1, 'nothing is confirmed')
})

test('a number that cannot receive texts is suppressed by its receipt', { skip }, async () => {
  const { phone, owner } = await shopAndPerson()
  await smsc.order('receipts', { stat: 'UNDELIV', err: '001' })
  const { message_id } = await send(owner, { to: phone, text: 'Hello' })
  await untilStatus(owner, message_id, 'bounced')
  await smsc.order('receipts', { stat: 'DELIVRD' })
  assert.equal((await owner.call('sms.send', { to: phone, text: 'Hello' })).kind, 'refusal')
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*) as n from events where type = 'message.bounced'`)
  assert.equal(n, 1)
})
