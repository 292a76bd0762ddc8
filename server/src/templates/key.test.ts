import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import type { ToolCaller } from '../../../tests/support/clients/tool-caller.ts'

let testbed: OwnTestbed
let owner: ToolCaller
let other: ToolCaller
before(async () => {
  testbed = await openTestbed()
  owner = (await testbed.someone()).owner
  other = (await testbed.someone()).owner
})
after(() => testbed.close())

interface Template {
  template_id: string
  version: number
  key?: string
}

const mail = { name: 'Receipt', subject: 'Your receipt', text: 'Thank you.' }
const save = (input: object, caller = owner) => caller.get<Template>('template.save', input)
const listed = async (input: object, caller = owner) =>
  (await caller.get<{ templates: Template[] }>('template.list', input)).templates[0]

async function refusalOf(operation: string, input: object): Promise<Record<string, unknown>> {
  const { kind, body } = await owner.call(operation, input)
  assert.equal(kind, 'refusal')
  return body
}

test('a key names the same template in each call, and in each business its own', async () => {
  const first = await save({ ...mail, key: 'receipt' })
  const theirs = await save({ ...mail, key: 'receipt' }, other)
  assert.notEqual(first.template_id, theirs.template_id)
  const second = await save({ key: 'receipt', text: 'Many thanks.', if_version: 1 })
  assert.deepEqual([second.template_id, second.version], [first.template_id, 2])
  const found = await listed({ key: 'receipt' })
  assert.deepEqual([found?.template_id, found?.key], [first.template_id, 'receipt'])
  const to = 'ana@example.com'
  const sent = await owner.get<{ message_id: string }>('email.send', {
    to,
    template_key: 'receipt',
  })
  const message = await owner.get<{ template_id: string }>('message.get', {
    message_id: sent.message_id,
  })
  assert.equal(message.template_id, first.template_id)
})

test('a text and a batch take a key, with a language', async () => {
  const words = { name: 'Code', channel: 'sms', text: 'Your code' }
  await save({ ...words, key: 'code', translations: { fr: { text: 'Votre code' } } })
  const entry = { to: '+33612345699', template_key: 'code', language: 'fr' }
  const { results } = await owner.get<{ results: { message_id?: string }[] }>('sms.send_batch', {
    messages: [entry, { ...entry, template_key: 'no-code' }],
  })
  assert.deepEqual(
    results.map(({ message_id }) => message_id !== undefined),
    [true, false],
  )
  const wrong = await refusalOf('email.send', { to: 'b@example.com', template_key: 'code' })
  assert.equal(wrong['field'], 'template_key')
})

test('a key is changed and taken away without a version, and two templates never share one', async () => {
  const { template_id } = await save({ ...mail, key: 'a'.repeat(64) })
  const renamed = await save({ template_id, key: 'under_score-1' })
  assert.equal(renamed.version, 1)
  assert.equal((await listed({ template_id }))?.key, 'under_score-1')
  const rival = await save(mail)
  const used = await refusalOf('template.save', {
    template_id: rival.template_id,
    key: 'under_score-1',
  })
  assert.deepEqual([used['code'], used['field']], ['conflict', 'key'])
  await save({ template_id, key: '' })
  assert.equal((await listed({ template_id }))?.key, undefined)
  await save({ template_id: rival.template_id, key: 'under_score-1' })
  assert.equal((await listed({ key: 'under_score-1' }))?.template_id, rival.template_id)
})

test('of calls that give one key at once, one succeeds', async () => {
  const made = await Promise.all([save(mail), save(mail), save(mail)])
  const calls = made.map(({ template_id }) =>
    owner.call('template.save', { template_id, key: 'one' }),
  )
  await Promise.all(calls)
  const all = await owner.get<{ templates: Template[] }>('template.list', { limit: 100 })
  assert.equal(all.templates.filter(({ key }) => key === 'one').length, 1)
})

test('a key that is badly written, unknown or of another business is refused', async () => {
  for (const key of ['a'.repeat(65), 'Receipt', 'a b', 'é']) {
    const refusal = await refusalOf('template.save', { ...mail, key })
    assert.deepEqual([refusal['code'], refusal['field']], ['invalid_request', 'key'], key)
  }
  await save({ ...mail, key: 'theirs' }, other)
  const unknown = await refusalOf('template.list', { key: 'theirs' })
  assert.deepEqual([unknown['code'], unknown['field']], ['not_found', 'key'])
  const to = 'ana@example.com'
  const unsent = await refusalOf('email.send', { to, template_key: 'theirs' })
  assert.deepEqual([unsent['code'], unsent['field']], ['not_found', 'template_key'])
  const { template_id } = await save(mail)
  const both = await refusalOf('email.send', { to, template_id, template_key: 'theirs' })
  assert.deepEqual([both['code'], both['field']], ['invalid_request', 'template_key'])
  const read = await refusalOf('template.list', { template_id, key: 'theirs' })
  assert.equal(read['field'], 'key')
})
