import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { recordActivity } from '../../contacts/timeline/activity.ts'
import { newId, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { knownAfterMs } from './known-recipients.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

test('an assistant that keeps data in writes to known contacts, members and own domains alone', async () => {
  const businessId = await testbed.newBusiness()
  const { db } = testbed
  const { userId } = await testbed.appCaller({ businesses: [businessId] })
  const owner = await testbed.caller({ businesses: [businessId] })
  const tool = await testbed.caller({ businesses: [businessId], takesDataOut: false })
  let n = 0
  const send = async (to: string, more: object = {}) => {
    const words = { subject: `Word ${n}`, text: `Hello ${'x'.repeat(n++)}` }
    const { kind, body } = await tool.call('email.send', { to, ...words, ...more })
    return kind === 'refusal' ? [body['code'], body['reason']] : 'sent'
  }
  const refused = ['access_denied', 'unknown_recipient']
  const add = async (email: string) => {
    const { contact_id } = await tool.get<{ contact_id: string }>('contact.upsert', { email })
    const id = parseId('contact', contact_id)
    assert.ok(id)
    return { id, contact_id }
  }
  assert.deepEqual(await send('drop@grab.example'), refused)
  const fresh = await add('fresh@example.com')
  assert.deepEqual(await send('fresh@example.com'), refused, 'added by the assistant itself')
  assert.deepEqual(await send('x', { to: undefined, contact_id: fresh.contact_id }), refused)
  const setAge = (ms: number) =>
    db.run(sql`
      update contacts set created_at = ${later(new Date(), -ms)}
      where business_id = ${businessId} and id = ${fresh.id}
    `)
  await setAge(knownAfterMs - seconds(60))
  assert.deepEqual(await send('fresh@example.com'), refused)
  await setAge(knownAfterMs)
  assert.equal(await send('fresh@example.com'), 'sent')
  const byForm = await add('form@example.com')
  await db.tx((tx) =>
    recordActivity(
      tx,
      [
        {
          businessId,
          contactId: byForm.id,
          type: 'form.submitted',
          details: {},
          subject: { formId: newId('form') },
        },
      ],
      new Date(),
    ),
  )
  assert.equal(await send('form@example.com'), 'sent')
  assert.equal(await send(`${userId}@example.com`), 'sent', 'a member')
  const batch = await tool.get<{ queued: number; refused: number }>('email.send_batch', {
    messages: [
      { to: 'form@example.com', subject: 'One', text: 'One' },
      { to: 'drop@grab.example', subject: 'Two', text: 'Two' },
    ],
  })
  assert.deepEqual([batch.queued, batch.refused], [1, 1])
  await owner.get('email.send', { to: 'drop@grab.example', subject: 'Hello', text: 'Hello' })
})
