import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { mostFound } from './find.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Found {
  found: {
    name: string
    granted: boolean
    input_schema: { properties: Record<string, { description?: string }> }
  }[]
  areas?: { area: string; tools: string[] }[]
}

test('meta.find finds tools that are not listed, with what a call needs', async () => {
  const { owner } = await testbed.someone()
  for (const [query, name] of [
    ['merge two contacts', 'contact.merge'],
    ['erase a person', 'contact.erase'],
    ['undo an import', 'import.undo'],
    ['new webhook secret', 'webhook.rotate'],
    ['webhook.save', 'webhook.save'],
    ['export contacts as a file', 'export.create'],
    ['create a topic', 'topic.save'],
    ['copy a campaign', 'campaign.copy'],
  ] as const) {
    const { found } = await owner.get<Found>('meta.find', { query })
    const names = found.map((tool) => tool.name)
    assert.ok(
      found.length <= mostFound && names.slice(0, 3).includes(`svc.v1.${name}`),
      `${query}: ${names.join(' ')}`,
    )
  }
  const { found } = await owner.get<Found>('meta.find', { query: 'merge contacts' })
  assert.ok(
    'other_contact_id' in (found[0]?.input_schema.properties ?? {}),
    JSON.stringify(found[0]),
  )
  assert.equal(found[0]?.granted, true)
})

test('meta.find without words, or with words of no tool, gives the names of all tools by area', async () => {
  const { owner } = await testbed.someone()
  for (const input of [{}, { query: 'zzz' }]) {
    const { found, areas } = await owner.get<Found>('meta.find', input)
    assert.deepEqual(found, [])
    const names = areas?.flatMap(({ tools }) => tools).sort()
    const all = catalog.filter(({ unlisted }) => !unlisted).map(({ name }) => `svc.v1.${name}`)
    assert.deepEqual(names, all.sort())
  }
})

/** What the instructions of the tool endpoint explain for all tools. */
const explainedOnce = ['business_id', 'idempotency_key', 'cursor', 'limit']

test('meta.find says what each argument of each tool means, in at most 25 kB', async (t) => {
  const { owner } = await testbed.someone()
  let most = 0
  for (const { name, unlisted } of catalog) {
    if (unlisted) continue
    const answer = await owner.get<Found>('meta.find', {
      query: `svc.v1.${name}`.replaceAll('.', '_'),
    })
    most = Math.max(most, Buffer.byteLength(JSON.stringify(answer)))
    assert.equal(answer.found[0]?.name, `svc.v1.${name}`)
    for (const { name: tool, input_schema } of answer.found) {
      for (const [field, { description = '' }] of Object.entries(input_schema.properties)) {
        if (explainedOnce.includes(field)) continue
        assert.ok(description !== '', `${tool} ${field}`)
      }
    }
  }
  assert.ok(most <= 25_000, `${most} bytes`)
  t.diagnostic(`the longest answer has ${most} bytes`)
})
