/**
 * No answer exceeds 25 kB unless its call asks for more by `limit`, because language models read it
 * and their context is expensive. The catalogue is walked over a business with many things.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { keptReply } from '../support/sms/replies.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

const mostBytes = 25_000
/** More than one page of anything that is listed. */
const many = 60

let testbed: OwnTestbed
let own: Belongings
let caller: ToolCaller
before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha', { campaigns: many })
  caller = await testbed.caller({ businesses: [own.id] })
  await fill()
})
after(() => testbed.close())

const words = (length: number) =>
  'words of the shop '
    .repeat(length / 18 + 1)
    .slice(0, length)
    .trim()
const times = <T>(n: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)))

/** Fills the business with long lists, and with long texts in each of their entries. */
async function fill(): Promise<void> {
  const html = `<p>${words(200_000)}</p>`
  const content = { subject: words(300), html, text: words(100_000) }
  const attributes = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`attribute_${i}`, words(200)]),
  )
  const consent = { email: { status: 'subscribed', source: 'page', text: words(4_000) } }
  const questions = Array.from({ length: 30 }, (_, i) => `key_${i}`)
  const long = Object.fromEntries(questions.map((key) => [key, words(400)]))
  const fields = [
    { key: 'email', label: 'Email', type: 'email', required: true },
    ...questions.map((key) => ({ key, label: words(300), type: 'textarea' })),
  ]
  const { form_id } = await caller.get<{ form_id: string }>('form.save', {
    form_id: own.form_id,
    fields,
  })
  await times(many, async (i) => {
    const email = `${own.word}-many-${i}@example.com`
    await caller.get('contact.upsert', { email, attributes, consent, tags: [words(60)] })
    await caller.get('form.save', { name: words(190), status: 'published', fields })
    await caller.get('form.submit', {
      form_id,
      fields: { email: `${own.word}@example.com`, ...long },
      source_url: `https://example.com/${'p'.repeat(1_900)}`,
    })
    await caller.get('template.save', { name: words(190), subject: words(300), html: words(500) })
    await caller.get('webhook.save', {
      url: `https://1.1.1.1/${'p'.repeat(1_900)}`,
      events: ['usage.threshold'],
      description: words(490),
    })
    const to = { to: `${own.word}@example.com`, allow_duplicate: true }
    await caller.get('email.send', { ...to, subject: words(490), text: words(5_000) })
    await caller.get('contact.suppress', { email: `${'s'.repeat(50)}-${i}@example.com` })
    if (i < 12)
      await caller.get('domain.add', { domain: `${'d'.repeat(60)}.many-${i}.example.com` })
    await keptReply(testbed.db, own.id, words(1_500))
  })
  const { campaign_id, template_id } = own
  await caller.get('campaign.save', { campaign_id, content, name: words(150) })
  await caller.get('template.save', { template_id, ...content })
}

for (const operation of catalog) {
  test(`${operation.name} answers within 25 kB when the call sets no limit`, async (t) => {
    const { limit: _limit, ...input } = lines[operation.name]?.sample(own) ?? {}
    const output = await caller.get<object>(operation.name, input)
    const bytes = Buffer.byteLength(JSON.stringify(output))
    t.diagnostic(`${bytes} bytes`)
    assert.ok(bytes <= mostBytes, `${operation.name}: ${bytes} bytes`)
  })
}

test('pages cut to the size limit together contain the whole list', async () => {
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page: { contacts: { contact_id: string }[]; next_cursor?: string } = await caller.get(
      'contact.list',
      cursor === undefined ? {} : { cursor },
    )
    assert.ok(page.contacts.length > 0 && page.contacts.length < 50)
    for (const { contact_id } of page.contacts) seen.add(contact_id)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  const whole = await caller.get<{ contacts: object[] }>('contact.list', { limit: 200 })
  assert.equal(seen.size, whole.contacts.length)
})

test('templates and campaigns of maximum length are saved and read in responses of 25 kB', async () => {
  const { template_id, campaign_id } = own
  const html = `<p>${words(200_000)}</p>`
  for (const [name, input] of [
    ['template.save', { template_id, html, text: words(100_000) }],
    ['campaign.save', { campaign_id, content: { html, text: words(100_000) } }],
    ['campaign.generate', { channel: 'email', content: { subject: 'News', html } }],
    ['campaign.preview', { campaign_id }],
    ['campaign.get', { campaign_id }],
  ] as const) {
    const bytes = Buffer.byteLength(JSON.stringify(await caller.get<object>(name, input)))
    assert.ok(bytes <= mostBytes, `${name}: ${bytes} bytes`)
  }
  const asked = await caller.get<object>('campaign.get', { campaign_id, content: true })
  assert.ok(JSON.stringify(asked).includes(words(100_000)))
})

test('a limit given in the call applies even if the page exceeds the usual size', async () => {
  const { contacts } = await caller.get<{ contacts: object[] }>('contact.list', { limit: 60 })
  assert.equal(contacts.length, 60)
  assert.ok(Buffer.byteLength(JSON.stringify(contacts)) > mostBytes)
})
