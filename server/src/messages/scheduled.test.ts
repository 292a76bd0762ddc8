import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { eventsOf } from '../../../tests/support/businesses/contacts.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../tests/support/time/shifted-clock.ts'
import { sql } from '../lib/db/db.ts'
import { minutes } from '../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ clock })
})
after(() => testbed.close())

interface Shown {
  status: string
  events: { type: string }[]
}

const inFiveMinutes = () => new Date(clock.now().getTime() + minutes(5)).toISOString()
const words = { subject: 'Later', text: 'Hello' }

test('a scheduled mail is announced and sent when it falls due and not before', async () => {
  const { businessId, owner } = await testbed.someone()
  const { message_id } = await owner.get<{ message_id: string }>('email.send', {
    to: 'ana@example.com',
    send_at: inFiveMinutes(),
    ...words,
  })
  const get = () => owner.get<Shown>('message.get', { message_id })
  assert.equal((await get()).status, 'scheduled')
  assert.deepEqual(await eventsOf(testbed.db, businessId), [])
  clock.forward(minutes(5))
  const shown = await eventually(get, ({ status }) => status === 'accepted')
  assert.deepEqual(
    shown.events.map(({ type }) => type),
    ['scheduled', 'queued', 'accepted'],
  )
  const [sent, ...more] = await eventsOf(testbed.db, businessId)
  assert.equal(sent?.type, 'message.sent')
  assert.deepEqual(more, [])
})

test('a scheduled marketing mail is not sent to a contact who opts out while it waits', async () => {
  const { businessId, owner } = await testbed.someone()
  const consent = (status: string) => ({ email: { status, source: 'a test' } })
  const upsert = (email: string, status: string) =>
    owner.get('contact.upsert', { email, consent: consent(status) })
  await upsert('changed@example.com', 'subscribed')
  await upsert('fallen@example.com', 'subscribed')
  const send = async (to: string) =>
    owner.get<{ message_id: string }>('email.send', {
      to,
      kind: 'marketing',
      send_at: inFiveMinutes(),
      ...words,
    })
  const changed = await send('changed@example.com')
  const fallen = await send('fallen@example.com')
  await upsert('changed@example.com', 'unsubscribed')
  // Hashes the address as the service itself does.
  const { vault } = testbed.service
  await testbed.db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    values (${businessId}, 'email', ${vault.hmac('suppression', `${businessId} fallen@example.com`)}, 'complaint',
      'a test', now())
  `)
  clock.forward(minutes(5))
  const messageInState = (message_id: string, state: string) =>
    eventually(
      () => owner.get<Shown>('message.get', { message_id }),
      ({ status }) => status === state,
    )
  assert.equal((await messageInState(changed.message_id, 'cancelled')).status, 'cancelled')
  assert.equal((await messageInState(fallen.message_id, 'suppressed')).status, 'suppressed')
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*)::int as n from inbox_messages
    where recipient in ('changed@example.com', 'fallen@example.com')
  `)
  assert.equal(n, 0)
})
