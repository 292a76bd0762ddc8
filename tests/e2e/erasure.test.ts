/** Erases a person from a running service, including messages, form answers and the feed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { eventually } from '../support/time/eventually.ts'

let testbed: OwnTestbed
let owner: ToolCaller
before(async () => {
  testbed = await openTestbed()
  owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
})
after(() => testbed.close())

const email = 'zoe.erasure@example.com'

async function messageTo(contact_id: string, more: object = {}): Promise<string> {
  const mail = { contact_id, subject: `For ${email}`, text: 'Hello Zoe', ...more }
  return (await owner.get<{ message_id: string }>('email.send', mail)).message_id
}

test('erasing a contact blanks or cancels messages, deletes submissions and clears the person from the feed', async () => {
  const form = await owner.get<{ form_id: string }>('form.save', {
    name: 'A form',
    status: 'published',
    fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
  })
  const { form_id } = form
  const { contact_id } = await owner.get<{ contact_id: string }>('form.submit', {
    form_id,
    fields: { email },
  })
  const sent = await messageTo(contact_id)
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const scheduled = await messageTo(contact_id, { send_at: inAWeek })
  const statusOf = async (message_id: string) =>
    owner.get<{ status: string; to: string }>('message.get', { message_id })
  const isOver = ({ status }: { status: string }) => /accepted|delivered/.test(status)
  assert.ok(isOver(await eventually(() => statusOf(sent), isOver)))
  await owner.get('contact.erase', { contact_id })
  const feed = () =>
    owner.get<{ events: { type: string; erased?: boolean }[] }>('meta.changes', { limit: 200 })
  // The erasure's own event names only the contact's id.
  const isBlank = ({ events }: Awaited<ReturnType<typeof feed>>) =>
    events.length >= 4 && events.every(({ type, erased }) => erased || type === 'contact.erased')
  assert.ok(isBlank(await eventually(feed, isBlank)))
  const [one, other] = [await statusOf(sent), await statusOf(scheduled)]
  assert.deepEqual([one.to, other.to, other.status], ['erased', 'erased', 'cancelled'])
  const answers = await owner.get<{ submissions: object[] }>('submission.list', { form_id })
  assert.deepEqual(answers.submissions, [])
  const { submission_count } = await owner.get<{ submission_count: number }>('form.get', {
    form_id,
  })
  assert.equal(submission_count, 1)
  const again = await owner.call('form.submit', { form_id, fields: { email } })
  assert.equal(again.kind, 'refusal')
  const left = await testbed.db.all(sql`
    select message_id from message_contents where subject like ${`%${email}%`}
  `)
  assert.deepEqual(left, [])
})
