import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import type { ToolCaller } from '../../../tests/support/clients/tool-caller.ts'
import { tierLimits } from '../accounts/businesses/tiers.ts'
import { limits } from '../config.ts'
import { sql } from '../lib/db/db.ts'

let testbed: OwnTestbed
let owner: ToolCaller
before(async () => {
  testbed = await openTestbed({ idle: true })
  owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
})
after(() => testbed.close())

const words = { to: '+33612345678', text: 'Hello' }

async function refusalOf(input: object, caller = owner): Promise<Record<string, unknown>> {
  const { kind, body, text } = await caller.call('sms.send', input)
  assert.equal(kind, 'refusal', text.slice(0, 200))
  return body
}

const segmentsOf = async (text: string) =>
  (await owner.get<{ segments: number }>('sms.send', { ...words, text })).segments

test('a text needs either a phone number or a contact, and some content', async () => {
  assert.equal((await refusalOf({ text: 'Hello' }))['field'], 'to')
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: 'ana@example.com',
  })
  assert.equal((await refusalOf({ ...words, contact_id }))['field'], 'to')
  assert.match(String((await refusalOf({ contact_id, text: 'A' }))['message']), /phone number/)
  assert.equal((await refusalOf({ to: words.to }))['field'], 'text')
  assert.equal((await refusalOf({ ...words, text: ' ' }))['field'], 'text')
  const national = await refusalOf({ ...words, to: '0612345678' })
  assert.equal(national['field'], 'to')
  assert.match(String(national['message']), /^to needs/)
  assert.equal((await refusalOf({ ...words, to: `+33${'0'.repeat(60)}` }))['field'], 'to')
  for (const send_at of ['tomorrow', '2026-11-31T09:00:00Z', '2020-01-01T09:00:00Z']) {
    assert.equal((await refusalOf({ ...words, send_at }))['field'], 'send_at', send_at)
  }
})

test('a mail template is refused for a text, and so are a template and own words together', async () => {
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Mail',
    subject: 'A',
    text: 'B',
  })
  assert.equal((await refusalOf({ to: words.to, template_id }))['field'], 'template_id')
  const text = await owner.get<{ template_id: string }>('template.save', {
    name: 'Text',
    channel: 'sms',
    text: '{{ word }}',
  })
  assert.equal((await refusalOf({ ...words, template_id: text.template_id }))['field'], 'text')
  const empty = { to: words.to, template_id: text.template_id, variables: { word: '' } }
  assert.equal((await refusalOf(empty))['field'], 'text')
})

test('a text may have exactly the maximum of segments and characters and no more', async () => {
  const most = limits.smsSegments
  assert.equal(await segmentsOf('x'.repeat(153 * most)), most)
  assert.equal(await segmentsOf('ж'.repeat(67 * most)), most)
  const over = await refusalOf({ ...words, text: 'x'.repeat(153 * most + 1) })
  assert.deepEqual([over['code'], over['field']], ['too_large', 'text'])
  const far = await refusalOf({ ...words, text: 'x'.repeat(limits.smsCharacters + 1) })
  assert.equal(far['field'], 'text')
})

test('a text that exceeds the rest of the tier’s segments is refused whole and uses no segment', async () => {
  const id = await testbed.newBusiness('growth')
  const grower = await testbed.caller({ businesses: [id] })
  const most = tierLimits['growth'].sms ?? 0
  await grower.get('sms.send', words)
  await testbed.db.run(sql`
    update usage_months set amount = ${most - 1} where business_id = ${id} and metric = 'sms'
  `)
  const long = { ...words, text: 'ж'.repeat(71) }
  assert.equal((await refusalOf(long, grower))['code'], 'tier_required')
  await grower.get('sms.send', { ...words, text: 'The last' })
  assert.equal((await refusalOf({ ...words, text: 'More' }, grower))['code'], 'tier_required')
})

test('two calls with the same idempotency key send one text', async () => {
  const input = { ...words, text: 'Keyed', allow_duplicate: true, idempotency_key: 'one' }
  const [first, again] = [await owner.call('sms.send', input), await owner.call('sms.send', input)]
  assert.equal(first.body['message_id'], again.body['message_id'])
})
