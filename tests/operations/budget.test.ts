/** An assistant reads the whole list of tools before it does anything, so the list stays short. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { longestPassage, mostPassages } from 'crier-server/reference/passages.ts'
import { type GrantOptions, newGrant, tokenMint } from '../support/clients/grants.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Tool {
  name: string
  outputSchema?: unknown
  annotations: { readOnlyHint: boolean; destructiveHint: boolean }
}

const mostTools = 44
const mostBytes = 36_000
/** Of one tool, wherever it is listed. */
const mostToolBytes = 2_600

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

interface ListRequest {
  grant?: Partial<GrantOptions>
  headers?: Record<string, string>
}

async function listed(query = '', { grant, headers }: ListRequest = {}) {
  const businesses = [await testbed.newBusiness('scale')]
  const url = `${testbed.service.endpoint}${query}`
  const caller = await testbed.caller({ businesses, ...grant }, url)
  const { text, status } = await caller.send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    headers,
  )
  const tools: Tool[] = JSON.parse(text).result?.tools ?? []
  return { text, status, tools, names: tools.map(({ name }) => name.replace(/^svc\.v1\./, '')) }
}

const mcp = { 'mcp-protocol-version': '2025-11-25' }

test('the list that a connection gets has at most 44 tools and 36 kB, in either spelling', async (t) => {
  for (const headers of [{}, mcp]) {
    const { text, tools } = await listed('', { headers })
    assert.ok(tools.length > 30 && tools.length <= mostTools, `${tools.length} tools`)
    assert.ok(Buffer.byteLength(text) <= mostBytes, `${Buffer.byteLength(text)} bytes`)
    t.diagnostic(`${tools.length} tools take ${Buffer.byteLength(text)} bytes`)
  }
})

test('areas=all lists every tool that no other one stands for, each in at most 2.6 kB', async (t) => {
  const { text, tools, names } = await listed('?areas=all')
  const all = catalog.filter(({ unlisted }) => !unlisted).map(({ name }) => name)
  assert.deepEqual(names, [...all, 'meta.call'])
  for (const tool of tools) assert.ok(bytes(tool) <= mostToolBytes, `${tool.name}: ${bytes(tool)}`)
  for (const folded of ['webhook.get', 'webhook.failed']) assert.ok(!names.includes(folded), folded)
  t.diagnostic(`${tools.length} tools take ${Buffer.byteLength(text)} bytes`)
})

test('areas lists the tools of some areas, and an unknown area is refused with those there are', async () => {
  const { names } = await listed('?areas=forms,webhooks')
  assert.ok(names.includes('webhook.rotate') && names.includes('form.held'))
  const always = ['business.list', 'meta.find', 'meta.call']
  const others = names.filter((name) => !/^(form|submission|webhook)\./.test(name))
  assert.deepEqual(others, always)
  for (const query of ['?areas=pets', '?areas=', '?areas=forms,pets', '?read_only=yes']) {
    const { status, text } = await listed(query)
    assert.equal(status, 400, query)
    assert.match(text, /areas is all, or some of business, contacts|read_only must be 1 or 0/)
  }
})

test('meta.find returns passages of the guides beside the tools, and none without a query', async () => {
  const caller = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  interface Found {
    found: { name: string }[]
    guides: { title: string; text: string; url: string }[]
  }
  const find = (query?: string) =>
    caller.get<Found>('meta.find', query === undefined ? {} : { query })
  const { found, guides } = await find('double opt-in')
  assert.ok(found.length > 0)
  assert.ok(guides.length > 0 && guides.length <= mostPassages)
  const [best] = guides
  assert.match(best?.url ?? '', /^http:\/\/\S+\/docs\/help\//)
  assert.match(best?.text ?? '', /confirm/)
  for (const { title, text, url } of guides) {
    assert.ok(title !== '' && text !== '' && text.length <= longestPassage + 2)
    assert.doesNotMatch(url, /\/docs\/(?:operations|operate|events)/)
  }
  assert.deepEqual((await find()).guides, [])
})

test('read_only=1 lists what changes nothing, and refuses every other call', async () => {
  const { tools } = await listed('?read_only=1')
  assert.ok(tools.length > 10)
  for (const { name, annotations } of tools) assert.ok(annotations.readOnlyHint, name)
  const url = `${testbed.service.endpoint}?read_only=1`
  const caller = await testbed.caller({ businesses: [await testbed.newBusiness()] }, url)
  await caller.get('contact.list')
  const contact = { email: 'a@example.com' }
  for (const [name, input] of [
    ['contact.upsert', contact],
    ['meta.call', { tool: 'svc.v1.contact.upsert', arguments: contact }],
  ] as const) {
    const { kind, text } = await caller.call(name, input)
    assert.equal(kind, 'error')
    assert.match(text, /contact\.upsert changes something/)
  }
  assert.deepEqual((await caller.get<{ contacts: [] }>('contact.list')).contacts, [])
})

test('a list has the tools of the contract, and of the others those that the connection can use', async () => {
  const contract = [
    'business.list',
    'meta.capabilities',
    'meta.usage',
    'contact.upsert',
    'form.list',
    'form.submit',
    'email.send',
    'sms.send',
    'domain.status',
  ]
  const bare = await listed('', { grant: { scopes: ['meta:read'] } })
  for (const name of contract) assert.ok(bare.names.includes(name), name)
  assert.ok(bare.names.includes('business.get') && bare.names.includes('meta.call'))
  assert.ok(!bare.names.includes('contact.list') && !bare.names.includes('campaign.save'))

  const viewer = await listed('?areas=all', { grant: { role: 'viewer' } })
  assert.ok(viewer.names.includes('contact.list') && !viewer.names.includes('contact.merge'))

  const free = await testbed.newBusiness('free')
  const small = await listed('?areas=all', { grant: { businesses: [free] } })
  const paid = catalog.filter(({ tier, unlisted }) => tier !== 'free' && !unlisted)
  assert.ok(paid.length > 0)
  for (const { name } of paid) {
    assert.equal(small.names.includes(name), contract.includes(name), name)
  }
})

test('constraints that a model need not see are left out of the tool list and still enforced', async () => {
  const { text } = await listed('?areas=all')
  for (const word of ['additionalProperties":false', 'maxLength', 'minLength', 'pattern"']) {
    assert.ok(!text.includes(word), word)
  }
  const caller = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const long = await caller.call('contact.upsert', {
    email: 'a@example.com',
    name: 'n'.repeat(201),
  })
  assert.match(long.text, /name must have at most 200 characters/)
})

test('output schemas are left out of the tool list', async () => {
  const { tools } = await listed('?areas=all')
  assert.deepEqual(
    tools.filter((tool) => 'outputSchema' in tool),
    [],
  )
})

test('output schemas come where the address asks for them and the revision has them', async () => {
  const old = { 'mcp-protocol-version': '2025-03-26' }
  for (const headers of [{}, old]) {
    const { tools } = await listed('?output_schemas=1', { headers })
    assert.ok(tools.every((tool) => !('outputSchema' in tool)))
  }
  const { tools } = await listed('?output_schemas=1', { headers: mcp })
  const own = tools.filter(({ name }) => name !== 'svc_v1_meta_call')
  assert.ok(own.length > 30 && own.every((tool) => 'outputSchema' in tool))
  assert.doesNotMatch(JSON.stringify(own.map((tool) => tool.outputSchema)), /"required":\[|\$ref/)
  assert.equal((await listed('?output_schemas=yes')).status, 400)
  const url = `${testbed.service.endpoint}?output_schemas=1`
  const businesses = [await testbed.newBusiness()]
  const caller = await testbed.caller({ businesses }, url)
  await caller.get('contact.upsert', { email: 'a@example.com', phone: '+41795550101' })
  const grant = await newGrant(testbed.db, { businesses })
  const headers = { authorization: `Bearer ${await tokenMint(testbed.service)(grant)}` }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  // The client checks each answer against the schema.
  await client.listTools()
  for (const name of ['contact_list', 'business_list', 'business_get', 'meta_usage', 'form_list']) {
    const { isError } = await client.callTool({ name: `svc_v1_${name}`, arguments: {} })
    assert.ok(!isError, name)
  }
  await client.close()
})

/** What hosts of models accept: they refuse a whole list for one tool that breaks it. */
test('every tool is one that strict hosts accept', async () => {
  const { tools } = await listed('?areas=all', { headers: mcp })
  for (const { name, inputSchema } of tools as (Tool & {
    inputSchema: Record<string, unknown>
  })[]) {
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.equal(inputSchema['type'], 'object', name)
    for (const word of ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref', '$defs']) {
      assert.ok(!(word in inputSchema), `${name}: ${word}`)
    }
    assert.doesNotMatch(JSON.stringify(inputSchema), /"\$(?:ref|defs|id|schema)"/, name)
    const names = Object.keys((inputSchema['properties'] ?? {}) as object)
    for (const field of names) assert.match(field, /^[a-zA-Z0-9_.-]{1,64}$/, `${name}: ${field}`)
    for (const field of (inputSchema['required'] ?? []) as string[])
      assert.ok(names.includes(field))
  }
})

test('meta.call makes the call of another tool, once, with its checks and its name in the log', async () => {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [businessId] })
  const topic = { topic: 'news', name: 'News' }
  for (const tool of ['svc.v1.topic.save', 'svc_v1_topic_save']) {
    const { kind, text } = await owner.call('meta.call', { tool, arguments: topic })
    assert.equal(kind, 'answer', text)
  }
  const wrong = await owner.call('meta.call', { tool: 'svc.v1.topic.save', arguments: { name: 5 } })
  assert.deepEqual([wrong.kind, wrong.body['code']], ['refusal', 'invalid_request'])

  const calls = async () => (await owner.call('meta.usage')).headers.get('ratelimit-remaining')
  const before = Number(await calls())
  await owner.call('meta.call', { tool: 'svc.v1.topic.list' })
  assert.equal(Number(await calls()), before - 2)
})

test('meta.call passes on the refusals of scope, and refuses what it cannot call', async () => {
  const businesses = [await testbed.newBusiness()]
  const reader = await testbed.caller({ businesses, scopes: ['meta:read'] })
  const direct = await reader.call('contact.merge', {})
  const inner = await reader.call('meta.call', { tool: 'svc.v1.contact.merge' })
  assert.equal(inner.status, 403)
  assert.equal(inner.body['code'], 'scope_required')
  assert.equal(inner.headers.get('www-authenticate'), direct.headers.get('www-authenticate'))

  for (const [input, field, words] of [
    [{ tool: 'svc.v1.meta.call', arguments: {} }, 'tool', /cannot call itself/],
    [{ tool: 'svc.v1.contact.merg' }, 'tool', /Did you mean svc\.v1\.contact\.merge/],
    [{ tool: 5 }, 'tool', /name of a tool/],
    [{}, 'tool', /name of a tool/],
    [{ tool: 'svc.v1.topic.list', arguments: [] }, 'arguments', /must be an object/],
    [{ tool: 'svc.v1.topic.list', limit: 5 }, 'limit', /into arguments/],
  ] as const) {
    const { kind, body } = await reader.call('meta.call', input)
    assert.deepEqual([kind, body['code'], body['field']], ['refusal', 'invalid_request', field])
    assert.match(String(body['message']), words)
  }
})

test('names have underscores for clients of MCP, and dots in a bare call and in capabilities', async () => {
  const { owner } = await testbed.someone()
  const bare = await listed()
  assert.ok(bare.tools.every(({ name }) => /^svc\.v1\.[a-z]+\.[a-z_]+$/.test(name)))
  const { tools } = await listed('', { headers: mcp })
  assert.ok(tools.every(({ name }) => /^svc_v1_[a-z]+_[a-z_]+$/.test(name)))
  const call = (name: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })
  const { body } = await owner.send(call('svc_v1_meta_capabilities'), mcp)
  const names = (body['tools'] as { name: string }[]).map(({ name }) => name)
  assert.ok(names.includes('svc.v1.contact.upsert'))
  const wrong = await owner.send(call('svc_v1_contact_get'), mcp)
  assert.match(wrong.text, /svc_v1_|contact/)
})

test('DOTTED_CLIENTS gives dotted names to programs on the user’s machine', async () => {
  const dotted = await openTestbed({
    idle: true,
    settings: { DOTTED_CLIENTS: 'localhost', UNDERSCORED_CLIENTS: 'localhost' },
  })
  try {
    const caller = await dotted.caller({ businesses: [await dotted.newBusiness()] })
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const { text } = await caller.send(list, mcp)
    assert.ok(text.includes('"svc.v1.business.list"') && !text.includes('svc_v1'))
  } finally {
    await dotted.close()
  }
})

/** What a host asks its person about first, by why it does. */
const destructive = {
  sends: [
    'email.send',
    'sms.send',
    'email.send_batch',
    'sms.send_batch',
    'campaign.test',
    'campaign.deploy',
    'campaign.resume',
    'campaign.resend',
    'sequence.start',
    'sequence.resume',
    'sequence.enrol',
    'feed.start',
    'feed.resume',
    'form.release',
  ],
  movesData: [
    'contact.export',
    'export.create',
    'webhook.save',
    'webhook.replay',
    'webhook.retry',
    'webhook.test',
  ],
  overwritesMany: [
    'contact.import',
    'import.confirm',
    'import.undo',
    'import.cancel',
    'contact.tag',
    'suppression.import',
    'template.delete',
  ],
  removes: [
    'contact.erase',
    'contact.merge',
    'contact.suppress',
    'note.delete',
    'reply.decide',
    'message.cancel',
    'campaign.cancel',
    'sequence.stop',
    'sequence.remove',
    'sequence.delete',
    'feed.delete',
    'segment.delete',
    'form.discard',
    'image.delete',
    'domain.remove',
    'webhook.delete',
    'webhook.rotate',
  ],
}

test('whatever sends, moves data, overwrites many or removes is annotated as destructive', () => {
  const annotated = catalog.filter(({ hints }) => hints.destructive).map(({ name }) => name)
  assert.deepEqual(annotated.toSorted(), Object.values(destructive).flat().toSorted())
  const verbs = /\.(send|deploy|start|resume|enrol|export|erase|merge|import|delete|remove|undo)/
  for (const { name, hints } of catalog) {
    assert.equal(hints.destructive, hints.destructive && !hints.readOnly, name)
    if (verbs.test(name)) assert.ok(hints.destructive, name)
  }
})
