import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { limits } from '../config.ts'
import { formatId, newId } from '../core/ids.ts'
import { listInbox } from '../core/inbox/mail-queries.ts'
import { later } from '../lib/time/clock.ts'
import { claimRecent } from './save.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

interface Sent {
  message_id: string
  status: string
  duplicate?: boolean
}
interface Shown {
  status: string
  events: { type: string; code?: string; untrusted?: { words: string } }[]
}

const words = { subject: 'Your receipt', text: 'Thank you.', html: '<p>Thank you.</p>' }

test('an email is queued at once and arrives in the inbox as it would over SMTP', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'first@example.com'
  const sent = await owner.get<Sent>('email.send', { to, ...words })
  assert.equal(sent.status, 'queued')
  const shown = await eventually(
    () => owner.get<Shown>('message.get', { message_id: sent.message_id }),
    ({ status }) => status === 'accepted',
  )
  assert.deepEqual(
    shown.events.map(({ type }) => type),
    ['queued', 'accepted'],
  )
  assert.equal(shown.events[1]?.code, '250')
  assert.match(shown.events[1]?.untrusted?.words ?? '', /inbox/)
  const [mail] = await listInbox(testbed.db, to, 10)
  assert.equal(mail?.subject, words.subject)
  assert.equal(mail?.text.trim(), words.text)
  assert.equal(formatId('message', mail?.messageId ?? newId('message')), sent.message_id)
})

test('the same mail to the same recipient within two minutes returns the first message', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'twice@example.com'
  const calls = await Promise.all(
    Array.from({ length: 8 }, () => owner.get<Sent>('email.send', { to, ...words })),
  )
  assert.equal(new Set(calls.map(({ message_id }) => message_id)).size, 1)
  assert.equal(calls.filter(({ duplicate }) => !duplicate).length, 1)
  const other = await owner.get<Sent>('email.send', { to, ...words, subject: 'Another' })
  assert.equal(other.duplicate, undefined)
  const wanted = await owner.get<Sent>('email.send', { to, ...words, allow_duplicate: true })
  assert.equal(wanted.duplicate, undefined)
})

test('a content is reserved for two minutes, and free again at their end', async () => {
  const { businessId } = await testbed.someone('scale')
  const [began, hash] = [new Date(), Buffer.alloc(32)]
  const isFree = (ms: number) =>
    testbed.db.tx(async (tx) => {
      const row = { businessId, hash, messageId: newId('message') }
      return (await claimRecent(tx, [row], later(began, ms))).length === 1
    })
  assert.equal(await isFree(0), true)
  assert.equal(await isFree(limits.duplicateMs - 1), false)
  assert.equal(await isFree(limits.duplicateMs), true)
})

test('a template is filled in for the contact who receives it', async () => {
  const { owner } = await testbed.someone('scale')
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: 'filled@example.com',
    name: '<Ana>',
    attributes: { city: 'Köln' },
  })
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Receipt',
    subject: 'For {{ contact.name }}',
    html: '<p>{{ contact.name }} in {{ contact.attributes.city }}: {{ total }}</p>',
  })
  const variables = { total: '<12>', contact: { name: 'Eve' } }
  const sent = await owner.get<Sent>('email.send', { contact_id, template_id, variables })
  await eventually(
    () => owner.get<Shown>('message.get', { message_id: sent.message_id }),
    ({ status }) => status === 'accepted',
  )
  const [mail] = await listInbox(testbed.db, 'filled@example.com', 10)
  assert.equal(mail?.subject, 'For <Ana>')
  assert.match(mail?.html ?? '', /^<p>&lt;Ana&gt; in Köln: &lt;12&gt;<\/p><img /)
  assert.equal(mail?.text.trim(), '<Ana> in Köln: <12>')
})

test('addresses of the simulator behave as their names say, and suppress nobody', async () => {
  const { owner } = await testbed.someone('scale')
  const at = (name: string) => `${name}@simulator.crier.test`
  const links = { ...words, html: '<p><a href="https://shop.example/order">Order</a></p>' }
  const wanted: Record<string, string[]> = {
    'delivered+one': ['queued', 'accepted', 'delivered'],
    bounced: ['queued', 'bounced'],
    deferred: ['queued', 'deferred'],
    complained: ['queued', 'accepted', 'delivered', 'complained'],
    opened: ['queued', 'accepted', 'delivered', 'opened'],
    clicked: ['queued', 'accepted', 'delivered', 'opened', 'clicked'],
    nobody: ['queued', 'bounced'],
  }
  const typesOf = async ({ message_id }: Sent) => {
    const { events } = await owner.get<Shown>('message.get', { message_id })
    return events.map(({ type }) => type)
  }
  const outcomes = Object.entries(wanted).map(async ([name, types]) => {
    const sent = await owner.get<Sent>('email.send', { to: at(name), ...links })
    assert.equal((sent as Sent & { leaves_this_machine: boolean }).leaves_this_machine, false)
    const seen = await eventually(
      () => typesOf(sent),
      ({ length }) => length >= types.length,
    )
    return [name, seen] as const
  })
  assert.deepEqual(Object.fromEntries(await Promise.all(outcomes)), wanted)
  const refused = await owner.call('email.send', { to: at('suppressed'), ...words })
  assert.match(JSON.stringify(refused), /"conflict".*is suppressed/)
  for (const name of ['bounced', 'complained']) {
    const again = await owner.get<Sent>('email.send', { to: at(name), ...words, text: 'Again.' })
    assert.equal(again.status, 'queued', `${name} is not suppressed`)
  }
})
