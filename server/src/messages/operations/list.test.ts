import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Page {
  messages: { message_id: string; to: string; status: string }[]
  next_cursor?: string
}

test('messages are listed newest first, by pages, by contact and by status', async () => {
  const id = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [id] })
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: 'ana@example.com',
  })
  const words = { subject: 'A word', text: 'Hello', allow_duplicate: true }
  for (let n = 0; n < 3; n++) {
    await owner.get('email.send', { to: `person-${n}@example.com`, ...words })
    await owner.get('email.send', { contact_id, ...words })
  }
  const all: string[] = []
  let cursor: string | undefined
  do {
    const page: Page = await owner.get('message.list', { limit: 4, ...(cursor && { cursor }) })
    all.push(...page.messages.map(({ to }) => to))
    cursor = page.next_cursor
  } while (cursor)
  assert.deepEqual(
    all,
    [2, 1, 0].flatMap((n) => ['ana@example.com', `person-${n}@example.com`]),
  )
  const ofAna = await owner.get<Page>('message.list', { contact_id })
  assert.equal(ofAna.messages.length, 3)
  await testbed.db.run(sql`
    update messages set state = 'bounced' where business_id = ${id} and recipient like 'person-1%'
  `)
  const bounced = await owner.get<Page>('message.list', { status: 'bounced' })
  assert.deepEqual(
    bounced.messages.map(({ to }) => to),
    ['person-1@example.com'],
  )
  assert.equal(bounced.next_cursor, undefined)
  assert.deepEqual((await owner.get<Page>('message.list', { status: 'unknown' })).messages, [])
})

test('messages of one channel are listed, by status and page too', async () => {
  const id = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [id] })
  const words = { text: 'Hello', allow_duplicate: true }
  for (let n = 0; n < 3; n++) {
    await owner.get('email.send', { to: `who-${n}@example.com`, subject: 'A word', ...words })
    await owner.get('sms.send', { to: `+3361234560${n}`, ...words })
  }
  const to = async (asked: object) =>
    (await owner.get<Page>('message.list', asked)).messages.map((one) => one.to)
  const texts = ['+33612345602', '+33612345601', '+33612345600']
  assert.deepEqual(await to({ channel: 'sms' }), texts)
  assert.equal((await to({ channel: 'email', status: 'queued' })).length, 3)
  assert.deepEqual(await to({ channel: 'email', status: 'bounced' }), [])
  const first = await owner.get<Page>('message.list', { channel: 'sms', limit: 2 })
  const rest = { channel: 'sms', limit: 2, cursor: first.next_cursor }
  assert.deepEqual([first.messages.length, await to(rest)], [2, texts.slice(2)])
})
