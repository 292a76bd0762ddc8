import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { sql } from '../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Page {
  messages: { message_id: string; to: string; status: string }[]
  next_cursor?: string
  note?: string
}

test('messages are listed newest first, by page, by contact and by status', async () => {
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
  const unknown = await owner.get<Page>('message.list', { status: 'unknown' })
  assert.deepEqual([unknown.messages, bounced.note], [[], undefined])
  assert.match(unknown.note ?? '', /^No message matches/)
})

test('messages of one channel are listed, also by status and page', async () => {
  const id = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [id] })
  const words = { text: 'Hello', allow_duplicate: true }
  for (let n = 0; n < 3; n++) {
    await owner.get('email.send', { to: `who-${n}@example.com`, subject: 'A word', ...words })
    await owner.get('sms.send', { to: `+3361234560${n}`, ...words })
  }
  const to = async (asked: object) =>
    (await owner.get<Page>('message.list', asked)).messages.map((message) => message.to)
  const texts = ['+33612345602', '+33612345601', '+33612345600']
  assert.deepEqual(await to({ channel: 'sms' }), texts)
  assert.equal((await to({ channel: 'email', status: 'queued' })).length, 3)
  assert.deepEqual(await to({ channel: 'email', status: 'bounced' }), [])
  const first = await owner.get<Page>('message.list', { channel: 'sms', limit: 2 })
  const rest = { channel: 'sms', limit: 2, cursor: first.next_cursor }
  assert.deepEqual([first.messages.length, await to(rest)], [2, texts.slice(2)])
})

test('messages are listed by recipient, tag, template and time, with their tags and metadata', async () => {
  const id = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [id] })
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Receipt',
    subject: 'Receipt',
    html: '<p>Thank you</p>',
  })
  const metadata = { order: '17', shop: 'north' }
  const words = { subject: 'A word', text: 'Hello' }
  await owner.get('email.send', {
    to: 'one@example.com',
    ...words,
    tags: ['receipt', 'eu'],
    metadata,
  })
  await owner.get('email.send', { to: 'two@example.com', ...words, tags: ['reminder'] })
  const between = new Date(Date.now() + 2)
  await new Promise((resolve) => setTimeout(resolve, 10))
  await owner.get('email.send', { to: 'one@example.com', template_id })
  const list = async (asked: object) =>
    (await owner.get<Page>('message.list', { view: 'full', ...asked })).messages
  const to = async (asked: object) => (await list(asked)).map((entry) => entry.to)
  const at = between.toISOString()
  assert.deepEqual(await to({ to: ' One@Example.com ' }), ['one@example.com', 'one@example.com'])
  assert.deepEqual(await to({ tag: 'eu' }), ['one@example.com'])
  assert.deepEqual(await to({ tag: 'nothing' }), [])
  assert.deepEqual(await to({ template_id }), ['one@example.com'])
  assert.deepEqual(await to({ since: at }), ['one@example.com'])
  assert.deepEqual(await to({ until: at }), ['two@example.com', 'one@example.com'])
  assert.deepEqual(await to({ since: at, until: at }), [])
  const [labelled] = await list({ tag: 'receipt' })
  const { tags, metadata: given } = labelled as { tags?: string[]; metadata?: object }
  assert.deepEqual([tags, given], [['receipt', 'eu'], metadata])
  assert.ok(!('tags' in ((await list({ template_id }))[0] ?? {})))
  const wrong = await owner.call('message.list', { since: 'yesterday' })
  assert.equal(wrong.body['field'], 'since')
})

test('the same mail with other metadata is another message', async () => {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const mail = { to: 'orders@example.com', subject: 'Paid', text: 'Thank you' }
  const send = async (order: string) =>
    owner.get<object>('email.send', { ...mail, metadata: { order } })
  assert.ok(!('duplicate' in (await send('1'))))
  assert.ok(!('duplicate' in (await send('2'))))
  assert.ok('duplicate' in (await send('2')))
})

test('tags and metadata beyond their limits are refused, and the refusal names the field', async () => {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const mail = { to: 'limits@example.com', subject: 'A', text: 'B', allow_duplicate: true }
  const keys = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, 'x'.repeat(200)]))
  const tags = (n: number) => Array.from({ length: n }, (_, i) => `tag-${i}`)
  for (const fine of [{ tags: tags(10) }, { metadata: keys(10) }, { tags: ['x'.repeat(50)] }]) {
    await owner.get('email.send', { ...mail, ...fine })
    await owner.get('sms.send', {
      to: '+33612345678',
      text: 'Hello',
      allow_duplicate: true,
      ...fine,
    })
  }
  for (const [field, bad] of [
    ['tags', { tags: tags(11) }],
    ['tags[0]', { tags: ['x'.repeat(51)] }],
    ['metadata', { metadata: keys(11) }],
    ['metadata.a', { metadata: { a: 'x'.repeat(201) } }],
    ['metadata', { metadata: { ['k'.repeat(41)]: 'x' } }],
    ['metadata.a', { metadata: { a: 1 } }],
  ] as const) {
    const refused = await owner.call('email.send', { ...mail, ...bad })
    assert.equal(refused.body['field'], field, JSON.stringify(bad).slice(0, 60))
  }
})
