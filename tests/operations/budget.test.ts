/** An assistant reads the whole list of tools before it does anything, so the list stays short. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { budget, later, wholeList } from './support/budget.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Tool {
  name: string
  outputSchema?: unknown
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

async function answered(): Promise<{ text: string; tools: Tool[] }> {
  const caller = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const { text } = await caller.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
  return { text, tools: JSON.parse(text).result.tools }
}

test('the budgets of all planned tools together are at most 48 kB', () => {
  const shares = Object.values(budget)
  const commas = shares.length
  const around = bytes({ jsonrpc: '2.0', id: 1, result: { tools: [] } })
  const all = shares.reduce((sum, share) => sum + share, 0) + commas + around + later
  assert.ok(all <= wholeList, `${all} bytes for ${shares.length} tools`)
})

test('each tool’s entry in the list is within its budget', async (t) => {
  const { text, tools } = await answered()
  assert.ok(tools.length > 10)
  for (const tool of tools) {
    const name = tool.name.replace('svc.v1.', '')
    const share = budget[name] ?? 0
    assert.ok(bytes(tool) <= share, `${name} takes ${bytes(tool)} bytes of ${share}`)
  }
  assert.ok(Buffer.byteLength(text) <= wholeList)
  t.diagnostic(`${tools.length} tools take ${Buffer.byteLength(text)} of ${wholeList} bytes`)
})

test('constraints that a model need not see are left out of the tool list and still enforced', async () => {
  const { text, tools } = await answered()
  for (const word of ['additionalProperties":false', 'maxLength', 'minLength', 'pattern"']) {
    assert.ok(!text.includes(word), word)
  }
  const names = tools.map(({ name }) => name)
  for (const folded of ['svc.v1.webhook.get', 'svc.v1.webhook.failed']) {
    assert.ok(!names.includes(folded), folded)
  }
  const caller = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const long = await caller.call('contact.upsert', {
    email: 'a@example.com',
    name: 'n'.repeat(201),
  })
  assert.match(long.text, /name must have at most 200 characters/)
})

test('output schemas are left out of the tool list', async () => {
  const { tools } = await answered()
  assert.deepEqual(
    tools.filter((tool) => 'outputSchema' in tool),
    [],
  )
})
