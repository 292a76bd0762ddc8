/** Waiting messages are cancelled once, with their cost; messages being sent are not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Sent {
  message_id: string
  status: string
  duplicate?: boolean
}
interface Usage {
  counters: { metric: string; used: number }[]
}

async function sender() {
  const { businessId, owner } = await testbed.someone('scale')
  const used = async (metric: string) => {
    const { counters } = await owner.get<Usage>('meta.usage', {})
    return counters.find((counter) => counter.metric === metric)?.used ?? 0
  }
  return { businessId, owner, used }
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const mail = (send_at?: string) => {
  return { to: 'ana@example.com', subject: 'Later', text: 'Hello', ...(send_at && { send_at }) }
}

test('a scheduled mail is cancelled, its usage is given back, and no event is announced', async () => {
  const { businessId, owner, used } = await sender()
  const send_at = inAnHour()
  const { message_id, status } = await owner.get<Sent>('email.send', mail(send_at))
  assert.equal(status, 'scheduled')
  assert.equal(await used('emails'), 1)
  const cancelled = await owner.get<Sent>('message.cancel', { message_id })
  assert.deepEqual(cancelled, { message_id, status: 'cancelled' })
  assert.equal(await used('emails'), 0)
  const again = await owner.get<Sent>('message.cancel', { message_id })
  assert.equal(again.status, 'cancelled')
  assert.equal(await used('emails'), 0, 'given back once')
  const shown = await owner.get<{ status: string; events: { type: string }[] }>('message.get', {
    message_id,
  })
  assert.equal(shown.status, 'cancelled')
  assert.deepEqual(
    shown.events.map(({ type }) => type),
    ['scheduled', 'cancelled'],
  )
  const told = await testbed.db.all(sql`
    select type from events where business_id = ${businessId} and type = 'message.sent'
  `)
  assert.deepEqual(told, [])
  const anew = await owner.get<Sent>('email.send', mail(send_at))
  assert.equal(anew.duplicate, undefined)
  assert.equal(anew.status, 'scheduled')
})

test('many simultaneous cancellations all succeed, and the usage is given back once', async () => {
  const { owner, used } = await sender()
  await owner.get<Sent>('email.send', { ...mail(inAnHour()), subject: 'Another' })
  const { message_id } = await owner.get<Sent>('email.send', mail(inAnHour()))
  await Promise.all(
    Array.from({ length: 6 }, () => owner.get<Sent>('message.cancel', { message_id })),
  )
  assert.equal(await used('emails'), 1)
})

test('a message that is already being sent cannot be cancelled, and the refusal says what happened', async () => {
  const { businessId, owner, used } = await sender()
  const { message_id } = await owner.get<Sent>('email.send', mail(inAnHour()))
  const id = parseId('message', message_id)
  for (const state of ['queued', 'attempting', 'accepted', 'bounced']) {
    await testbed.db.run(sql`
      update messages set state = ${state} where business_id = ${businessId} and id = ${id}
    `)
    const { kind, body } = await owner.call('message.cancel', { message_id })
    assert.equal(kind, 'refusal')
    assert.equal(body['code'], 'conflict')
    assert.match(String(body['message']), /^Too late to cancel/)
  }
  assert.equal(await used('emails'), 1)
})

test('a mail without send_at cannot be cancelled, and another business’s mail is not found', async () => {
  const { owner } = await sender()
  const { message_id } = await owner.get<Sent>('email.send', mail())
  assert.equal((await owner.call('message.cancel', { message_id })).body['code'], 'conflict')
  const other = await sender()
  const foreign = await other.owner.call('message.cancel', { message_id })
  assert.equal(foreign.body['code'], 'not_found')
})

test('a marketing text that waits for the morning can be cancelled, and its segments are given back', async () => {
  const { businessId, owner, used } = await sender()
  const phone = '+33612345678'
  const consent = { sms: { status: 'subscribed', source: 'a test' } }
  await owner.get('contact.upsert', { phone, consent })
  const text = 'x'.repeat(200)
  const input = { to: phone, text, kind: 'marketing' }
  const { message_id } = await owner.get<Sent>('sms.send', input)
  assert.equal(await used('sms'), 2)
  // The state after the sender has deferred it until the morning.
  await testbed.db.run(sql`
    update messages set due_at = ${new Date(Date.now() + 3_600_000)}
    where business_id = ${businessId} and id = ${parseId('message', message_id)}
  `)
  const { status } = await owner.get<Sent>('message.cancel', { message_id })
  assert.equal(status, 'cancelled')
  assert.equal(await used('sms'), 0)
})
