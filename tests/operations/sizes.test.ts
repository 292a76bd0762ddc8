/**
 * No answer exceeds 25 kB unless its call asks for more by `limit`, because language models read it
 * and their context is expensive. The catalogue is walked over a business with many things.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import type { EntryCaller, ToolCaller } from '../support/clients/tool-caller.ts'
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
      { view: 'full', ...(cursor !== undefined && { cursor }) },
    )
    assert.ok(page.contacts.length > 0 && page.contacts.length < 50)
    for (const { contact_id } of page.contacts) seen.add(contact_id)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  const whole = await caller.get<{ contacts: object[] }>('contact.list', {
    limit: 200,
    view: 'full',
  })
  assert.equal(seen.size, whole.contacts.length)
})

test('a list of contacts is brief for a model, and whole where it asks for that or a program reads', async () => {
  const { tools, rest } = await testbed.bothEntries({ businesses: [own.id] })
  const keysOf = async (from: EntryCaller, input: object) => {
    const { contacts } = await from.get<{ contacts: object[] }>('contact.list', input)
    return new Set(contacts.flatMap((contact) => Object.keys(contact)))
  }
  const brief = new Set(['contact_id', 'email', 'phone', 'untrusted', 'consent'])
  assert.deepEqual(
    [...(await keysOf(tools, {}))].filter((key) => !brief.has(key)),
    [],
  )
  assert.ok((await keysOf(tools, { view: 'full' })).has('standing'))
  assert.ok((await keysOf(rest, {})).has('standing'))
  // REST gives every field: what a brief view leaves out is null there.
  const { contacts } = await rest.get<{ contacts: { standing: unknown }[] }>('contact.list', {
    view: 'brief',
  })
  assert.ok(contacts.length > 0 && contacts.every(({ standing }) => standing === null))
  const sizeOf = async (view: string) =>
    JSON.stringify(await tools.get<object>('contact.list', { limit: 5, view })).length
  assert.ok((await sizeOf('brief')) < (await sizeOf('full')))
})

/** What each item of a list in brief has, at most. */
const briefBytes = 0.9

test('every list with a brief view has it for a model, and all for a program or who asks', async (t) => {
  const { tools, rest } = await testbed.bothEntries({ businesses: [own.id] })
  const lists = catalog.filter(
    ({ name, input }) => name.endsWith('.list') && 'view' in input.properties,
  )
  assert.ok(lists.length >= 9, `${lists.length} lists`)
  for (const { name, output } of lists) {
    const [noun = ''] = Object.keys(output.properties)
    const itemsOf = async (from: EntryCaller, input: object) =>
      (await from.get<Record<string, object[]>>(name, { limit: 5, ...input }))[noun] ?? []
    const [brief, full, program] = [
      await itemsOf(tools, {}),
      await itemsOf(tools, { view: 'full' }),
      await itemsOf(rest, {}),
    ]
    assert.ok(brief.length > 0, name)
    const bytesOf = (items: object[]) => Buffer.byteLength(JSON.stringify(items))
    t.diagnostic(`${name}: ${bytesOf(brief)} of ${bytesOf(full)} bytes for ${brief.length}`)
    assert.ok(bytesOf(brief) < briefBytes * bytesOf(full), name)
    // REST has the same fields with a view as without one, and as tools have in full.
    const keysOf = (items: object[]) => new Set(items.flatMap((item) => Object.keys(item)))
    const missing = [...keysOf(full)].filter(
      (key) => key !== 'untrusted' && !keysOf(program).has(key),
    )
    assert.deepEqual(missing, [], name)
    assert.ok(keysOf(brief).size < keysOf(full).size, name)
  }
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

/** 10,000 contacts with what a shop knows of them, and 5,000 events about them in the feed. */
async function fillUp({ id: businessId, word }: Belongings): Promise<void> {
  const attributes = { city: 'Winterthur', plan: 'yearly', note: words(300) }
  const now = new Date()
  await testbed.db.run(sql`
    insert into contacts (business_id, id, email, phone, name, attributes, tags, email_consent,
      sms_consent, source, created_at, updated_at)
    select ${businessId}, gen_random_uuid(), ${word} || '-bulk-' || n || '@example.com',
      '+4179' || (1000000 + n), 'Ana Bulk ' || n, ${JSON.stringify(attributes)}::jsonb,
      array['customer', 'tag ' || (n % 40)], 'subscribed', 'none', 'import', ${now}, ${now}
    from generate_series(1, 10000) as n
  `)
  await testbed.db.run(sql`
    with head as (
      select coalesce(max(position), 0) as last from event_feed where business_id = ${businessId}
    ), made as (
      select gen_random_uuid() as id, last + n as position, n from head, generate_series(1, 5000) as n
    ), written as (
      insert into events (business_id, id, type, body, created_at)
      select ${businessId}, id, 'contact.updated', json_build_object('id', 'evt_' || n,
        'type', 'contact.updated', 'created_at', ${now.toISOString()}::text, 'business_id', ${own.business_id}::text,
        'data', json_build_object('contact_id', 'con_' || n, 'email', 'bulk-' || n || '@example.com',
          'attributes', ${JSON.stringify(attributes)}::json))::text, ${now}
      from made
    ), placed as (
      insert into event_feed (business_id, position, event_id, type, created_at, placed_at)
      select ${businessId}, position, id, 'contact.updated', ${now}, ${now} from made
    )
    insert into event_heads (business_id, position, placed_at)
    select ${businessId}, last + 5000, ${now} from head
    on conflict (business_id) do update set position = excluded.position,
      placed_at = excluded.placed_at
  `)
}

test('with 10,000 contacts and 5,000 events no reading operation answers more than 25 kB', async (t) => {
  await fillUp(own)
  const reading = catalog.filter(({ hints }) => hints.readOnly)
  assert.ok(reading.length > 40, `${reading.length} operations`)
  const over: string[] = []
  for (const operation of reading) {
    const { limit: _limit, ...input } = lines[operation.name]?.sample(own) ?? {}
    const bytes = Buffer.byteLength(JSON.stringify(await caller.get<object>(operation.name, input)))
    if (bytes > 15_000) t.diagnostic(`${operation.name}: ${bytes} bytes`)
    if (bytes > mostBytes) over.push(`${operation.name}: ${bytes} bytes`)
  }
  assert.deepEqual(over, [])
  const { events, more } = await caller.get<{ events: object[]; more: boolean }>('meta.changes')
  assert.ok(events.length > 10 && more)
})

test('a limit given in the call applies even if the page exceeds the usual size', async () => {
  const { contacts } = await caller.get<{ contacts: object[] }>('contact.list', {
    limit: 60,
    view: 'full',
  })
  assert.equal(contacts.length, 60)
  assert.ok(Buffer.byteLength(JSON.stringify(contacts)) > mostBytes)
})
