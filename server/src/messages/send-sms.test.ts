import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import type { ToolCaller } from '../../../tests/support/clients/tool-caller.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../tests/support/time/shifted-clock.ts'
import { zoneWhereItIs } from '../../../tests/support/time/zones.ts'
import { suppress } from '../contacts/suppressions/suppression.ts'
import type { Id } from '../core/ids.ts'
import { listTexts } from '../core/inbox/phone-queries.ts'
import { minutes } from '../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ clock })
})
after(() => testbed.close())

interface Sent {
  message_id: string
  status: string
  segments: number
  encoding: string
  duplicate?: boolean
}
interface Shown {
  channel: string
  status: string
  segments?: number
  due_at: string
  events: { type: string }[]
}

interface Usage {
  counters: { metric: string; used: number }[]
}

async function shownAs(owner: ToolCaller, message_id: string, status: string): Promise<Shown> {
  const get = () => owner.get<Shown>('message.get', { message_id })
  const shown = await eventually(get, (entry) => entry.status === status)
  assert.equal(shown.status, status)
  return shown
}

let numbers = 0
const newNumber = () => `+336123456${String(10 + numbers++)}`

/** The number of a contact with consent to texts, whose local hour is now `hour`. */
async function subscriber(owner: ToolCaller, hour: number): Promise<string> {
  const phone = newNumber()
  await owner.get('contact.upsert', {
    phone,
    attributes: { time_zone: zoneWhereItIs(hour) },
    consent: { sms: { status: 'subscribed', source: 'a test' } },
  })
  return phone
}

test('a text is queued at once, its segments are counted, and it arrives on the phone', async () => {
  const { owner } = await testbed.someone('scale')
  const to = newNumber()
  const text = `${'x'.repeat(160)}€`
  const sent = await owner.get<Sent>('sms.send', { to, text })
  assert.deepEqual([sent.status, sent.segments, sent.encoding], ['queued', 2, 'gsm-7'])
  const shown = await shownAs(owner, sent.message_id, 'accepted')
  assert.deepEqual([shown.channel, shown.segments], ['sms', 2])
  assert.deepEqual(
    shown.events.map(({ type }) => type),
    ['queued', 'accepted'],
  )
  const [got, ...more] = await listTexts(testbed.db, to, 10)
  assert.deepEqual(
    [got?.body, got?.other, got?.segments, more.length],
    [text, '+12025550100', 2, 0],
  )
})

test('a text whose accents are apart is counted, stored and sent with them composed', async () => {
  const { owner } = await testbed.someone('scale')
  const to = newNumber()
  const text = 'Cafe\u0301 ouvert a\u0300 midi. '.repeat(6).trim()
  const sent = await owner.get<Sent>('sms.send', { to, text })
  assert.deepEqual([sent.segments, sent.encoding], [1, 'gsm-7'])
  const again = await owner.get<Sent>('sms.send', { to, text: text.normalize('NFC') })
  assert.equal(again.duplicate, true, 'both are the same text')
  await shownAs(owner, sent.message_id, 'accepted')
  const [got] = await listTexts(testbed.db, to, 10)
  assert.deepEqual([got?.body, got?.segments], [text.normalize('NFC'), 1])
  const variables = { name: 'Rene\u0301' }
  const filled = { to, text: 'Bonjour {{ name }}', variables }
  const named = await owner.get<Sent>('sms.send', filled)
  assert.deepEqual([named.segments, named.encoding], [1, 'gsm-7'])
})

test('a text’s segments count against the tier', async () => {
  const { owner } = await testbed.someone('growth')
  const usage = async () => {
    const { counters } = await owner.get<Usage>('meta.usage')
    return counters.find(({ metric }) => metric === 'sms')?.used
  }
  await owner.get('sms.send', { to: newNumber(), text: 'ж'.repeat(71) })
  assert.equal(await usage(), 2)
})

test('a text on the free tier is refused with the name of the tier that includes texts', async () => {
  const { owner } = await testbed.someone('free')
  const { status, body } = await owner.call('sms.send', { to: newNumber(), text: 'Hello' })
  assert.deepEqual([status, body['code'], body['tier']], [403, 'tier_required', 'growth'])
})

test('the same text to the same number within two minutes returns the first message', async () => {
  const { owner } = await testbed.someone('scale')
  const to = newNumber()
  const calls = await Promise.all(
    Array.from({ length: 8 }, () => owner.get<Sent>('sms.send', { to, text: 'Once' })),
  )
  assert.equal(new Set(calls.map(({ message_id }) => message_id)).size, 1)
  assert.equal(calls.filter(({ duplicate }) => !duplicate).length, 1)
  const again = await owner.get<Sent>('sms.send', { to, text: 'Once', allow_duplicate: true })
  assert.equal(again.duplicate, undefined)
})

test('a template is filled in for the contact who receives it, and its segments are counted afterwards', async () => {
  const { owner } = await testbed.someone('scale')
  const phone = newNumber()
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    phone,
    name: 'Ana',
  })
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Reminder',
    channel: 'sms',
    text: '{{ contact.name }}, see you at {{ time }}.',
  })
  const variables = { time: '<18:30>' }
  const input = { to: phone, template_id, variables }
  const sent = await owner.get<Sent>('sms.send', input)
  await shownAs(owner, sent.message_id, 'accepted')
  const [got] = await listTexts(testbed.db, phone, 10)
  assert.equal(got?.body, 'Ana, see you at <18:30>.')
  const other = await owner.get<Sent>('sms.send', {
    ...input,
    to: undefined,
    contact_id,
    variables: { time: 'x'.repeat(200) },
  })
  assert.equal(other.segments, 2)
})

test('a marketing text waits through the night of its recipient and is then sent', async () => {
  const { owner } = await testbed.someone('scale')
  const send = async (to: string, kind: string) =>
    owner.get<Sent>('sms.send', { to, kind, text: `Something ${kind}` })
  const day = await send(await subscriber(owner, 12), 'marketing')
  await shownAs(owner, day.message_id, 'accepted')
  const asleep = await subscriber(owner, 3)
  const night = await send(asleep, 'marketing')
  const held = await eventually(
    () => owner.get<Shown>('message.get', { message_id: night.message_id }),
    ({ due_at }) => Date.parse(due_at) > Date.now(),
  )
  assert.equal(held.status, 'queued')
  const wait = Date.parse(held.due_at) - Date.now()
  assert.ok(wait > 4.9 * 3_600_000 && wait < 6.1 * 3_600_000, held.due_at)
  const code = await send(asleep, 'transactional')
  await shownAs(owner, code.message_id, 'accepted')
})

test('a marketing text needs consent to texts, and suppressing a number blocks only SMS', async () => {
  const { businessId: id, owner } = await testbed.someone('scale')
  const phone = newNumber()
  await owner.get('contact.upsert', {
    phone,
    email: 'both@example.com',
    consent: { email: { status: 'subscribed', source: 'a test' } },
  })
  const marketing = await owner.call('sms.send', { to: phone, kind: 'marketing', text: 'A sale' })
  assert.deepEqual([marketing.status, marketing.body['code']], [200, 'conflict'])
  await suppressNumber(id, phone)
  const { body } = await owner.call('sms.send', { to: phone, text: 'Hello' })
  assert.equal(body['suppressed'], true)
  const mail = { to: 'both@example.com', subject: 'A', text: 'B', kind: 'marketing' }
  await owner.get('email.send', mail)
})

test('a scheduled text to a number that is suppressed while it waits is not sent', async () => {
  const { businessId: id, owner } = await testbed.someone('scale')
  const to = newNumber()
  const send_at = new Date(clock.now().getTime() + minutes(5)).toISOString()
  const sent = await owner.get<Sent>('sms.send', { to, text: 'Hello', send_at })
  await suppressNumber(id, to)
  clock.forward(minutes(5))
  await shownAs(owner, sent.message_id, 'suppressed')
  assert.deepEqual(await listTexts(testbed.db, to, 10), [])
})

function suppressNumber(businessId: Id<'business'>, address: string): Promise<void> {
  const { hmac } = testbed.service.vault
  const what = { businessId, channel: 'sms', address, reason: 'manual', source: 'a test' } as const
  return testbed.db.tx((tx) => suppress(tx, hmac, [what], new Date()))
}
