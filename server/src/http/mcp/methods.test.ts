import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../../core/errors.ts'
import { type Operation, operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { answerRequest, type MethodContext } from './methods.ts'
import type { Era } from './protocol.ts'
import { createTools } from './tools.ts'

const list = operation({
  name: 'campaign.list',
  aliases: ['list_campaigns'],
  title: 'List campaigns',
  area: 'campaigns',
  everyday: true,
  summary: 'Lists campaigns.',
  reach: 'connection',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/campaigns',
  input: {},
  output: Type.Object({}),
  run: async () => ({}),
})

function context(outcome: unknown, catalog: Operation[] = [list]): MethodContext {
  return {
    tools: createTools(catalog, 'svc'),
    slug: 'svc',
    requestId: 'req_1',
    principal: { scopes: new Set(['meta:read']), businesses: [] },
    choice: { readOnly: false },
    spelling: async () => 'dotted',
    call: async () => outcome,
  }
}

async function ask(method: string, params: object, era: Era = 'legacy', with_ = context({ n: 1 })) {
  const answer = await answerRequest(with_, era, {
    id: 7,
    method,
    params: params as Record<string, unknown>,
  })
  assert.ok(!('refusal' in answer))
  const body = JSON.parse(answer.json ?? '') as {
    id: number
    result?: Record<string, unknown> & { content: { text: string }[] }
    error?: { code: number; message: string; data?: unknown }
  }
  return { status: answer.status, ...body }
}

test('a tool can be called by its dotted, underscored or bare name', async () => {
  for (const name of ['svc.v1.campaign.list', 'svc_v1_campaign_list', 'list_campaigns']) {
    const { result } = await ask('tools/call', { name })
    assert.deepEqual(result?.['structuredContent'], { n: 1 })
    assert.equal(result?.content[0]?.text, '{"n":1}')
  }
})

test('an answer is serialised once, for the text and the structured content together', async () => {
  let times = 0
  const answer = { toJSON: () => ({ n: ++times }) }
  const { result } = await ask('tools/call', { name: 'list_campaigns' }, 'legacy', context(answer))
  assert.deepEqual(result?.['structuredContent'], { n: 1 })
  assert.equal(result?.content[0]?.text, '{"n":1}')
  assert.equal(times, 1)
})

test('any other spelling is an unknown tool, answered with 200 and -32602', async () => {
  for (const name of ['campaign.list', 'svc.v2.campaign.list', '__proto__', '', 5, undefined]) {
    const { status, error, id } = await ask('tools/call', { name })
    assert.deepEqual([status, error?.code, id], [200, -32602, 7])
  }
})

test('a refusal is a result with isError that names the fixing tool by its full name', async () => {
  const refusal = refuse('not_found', 'Gone.', { fix: { tool: 'business.list', arguments: {} } })
  const { result } = await ask('tools/call', { name: 'list_campaigns' }, 'legacy', context(refusal))
  assert.equal(result?.['isError'], true)
  const body = JSON.parse(result?.content[0]?.text ?? '{}')
  assert.deepEqual(body.fix, { tool: 'svc.v1.business.list', arguments: {} })
  assert.deepEqual([body.code, body.error, body.request_id], ['not_found', 'not_found', 'req_1'])
})

test('a client that lists underscored names gets them wherever a response names a tool', async () => {
  const fix = { tool: 'campaign.list', arguments: { tool: 'campaign.list' } }
  const answer = {
    possible: ['campaign.list'],
    gates: [{ gate: 'audience', fix }, { gate: 'sender' }],
    campaigns: [{ possible: ['campaign.list'] }],
    sequences: [{ possible: ['campaign.list'] }],
    missing: [{ fix }],
    found: [{ name: 'campaign.list' }],
    untrusted: { fix },
  }
  const refused = refuse('conflict', 'No.', { fix, data: { possible: ['campaign.list'] } })
  for (const [spelling, name] of [
    ['dotted', 'svc.v1.campaign.list'],
    ['underscored', 'svc_v1_campaign_list'],
  ] as const) {
    const calling = (outcome: unknown) => ({ ...context(outcome), spelling: async () => spelling })
    const { result } = await ask('tools/call', { name }, 'legacy', calling(answer))
    const spelled = { tool: name, arguments: { tool: 'campaign.list' } }
    assert.deepEqual(result?.['structuredContent'], {
      possible: [name],
      gates: [{ gate: 'audience', fix: spelled }, { gate: 'sender' }],
      campaigns: [{ possible: [name] }],
      sequences: [{ possible: [name] }],
      missing: [{ fix: spelled }],
      found: [{ name }],
      untrusted: { fix },
    })
    const no = await ask('tools/call', { name }, 'legacy', calling(refused))
    const body = JSON.parse(no.result?.content[0]?.text ?? '{}')
    assert.deepEqual([body.fix, body.possible], [spelled, [name]])
    const { error } = await ask('tools/call', { name: 'campaigns.list' }, 'legacy', calling({}))
    assert.ok(error?.message.includes(`Did you mean ${name}?`), error?.message)
  }
})

test('both eras return instructions of at most 1 kB, with the tool names in the client’s spelling', async () => {
  for (const spelling of ['dotted', 'underscored'] as const) {
    const own = { ...context({}), spelling: async () => spelling }
    const begun = await ask('initialize', {}, 'legacy', own)
    const found = await ask('server/discover', {}, 'modern', own)
    const text = String(begun.result?.['instructions'])
    assert.equal(found.result?.['instructions'], text)
    assert.ok(Buffer.byteLength(text) <= 1_024, `${Buffer.byteLength(text)} bytes`)
    assert.equal(text.includes('svc_v1_campaign_deploy'), spelling === 'underscored')
    assert.equal(text.includes('svc.v1.campaign.deploy'), spelling === 'dotted')
  }
})

test('an unlisted operation can be called, but is not listed', async () => {
  const covered: Operation = { ...list, unlisted: true }
  const own = context({ n: 1 }, [covered])
  const tools = (await ask('tools/list', {}, 'legacy', own)).result?.['tools']
  assert.deepEqual(
    (tools as { name: string }[]).map(({ name }) => name),
    ['svc.v1.meta.call'],
  )
  const { result } = await ask('tools/call', { name: 'svc.v1.campaign.list' }, 'legacy', own)
  assert.deepEqual(result?.['structuredContent'], { n: 1 })
})

test('a missing scope or tier is returned as an HTTP status instead of a protocol result', async () => {
  for (const code of ['unauthorized', 'scope_required', 'tier_required'] as const) {
    const refusal = refuse(code, 'No.')
    const answer = await answerRequest(context(refusal), 'legacy', {
      id: 1,
      method: 'tools/call',
      params: { name: 'list_campaigns' },
    })
    assert.deepEqual(answer, { refusal })
  }
})

test('a missing role and every daily limit are results that tell the model why', async () => {
  for (const code of ['role_required', 'rate_limited', 'access_denied'] as const) {
    const refusal = refuse(code, 'Not today.', { retryAfter: 30 })
    const { status, result } = await ask(
      'tools/call',
      { name: 'list_campaigns' },
      'legacy',
      context(refusal),
    )
    assert.deepEqual([status, result?.['isError']], [200, true])
    const told = JSON.parse(result?.content[0]?.text ?? '{}')
    assert.deepEqual([told.code, told.message, told.retry_after], [code, 'Not today.', 30])
  }
})

test('initialize echoes a known version, and otherwise offers the newest legacy version', async () => {
  const asked = async (protocolVersion: string) =>
    (await ask('initialize', { protocolVersion })).result?.['protocolVersion']
  assert.equal(await asked('2025-03-26'), '2025-03-26')
  assert.equal(await asked('2024-11-05'), '2025-11-25')
})

test('the modern era has discover and no ping, and the legacy era has ping and no discover', async () => {
  const modern = await ask('server/discover', {}, 'modern')
  assert.deepEqual(modern.result?.['supportedVersions'], ['2026-07-28'])
  assert.equal(modern.result?.['resultType'], 'complete')
  assert.equal(modern.result?.['cacheScope'], 'private')
  assert.deepEqual([(await ask('ping', {}, 'modern')).status], [404])
  assert.equal((await ask('server/discover', {})).error?.code, -32601)
  assert.deepEqual((await ask('ping', {})).result, {})
})

test('an unknown method is 200 in the legacy era and 404 in the modern one', async () => {
  assert.equal((await ask('resources/list', {})).status, 200)
  assert.equal((await ask('resources/list', {}, 'modern')).status, 404)
})

test('tools are listed on one page, with annotations, an object schema and business_id', async () => {
  const { result } = await ask('tools/list', {})
  assert.ok(result)
  const [tool] = result['tools'] as {
    inputSchema: { type: string; properties: object }
    annotations: object
  }[]
  assert.ok(tool)
  assert.equal(tool.inputSchema.type, 'object')
  assert.ok('business_id' in tool.inputSchema.properties)
  assert.deepEqual(tool.annotations, {
    readOnlyHint: true,
    destructiveHint: false,
    openWorldHint: false,
  })
  assert.equal((await ask('tools/list', { cursor: 'x' })).error?.code, -32602)
})

test('a tool that needs a client capability is refused with its name in the modern era', async () => {
  const needy: Operation = { ...list, clientCapabilities: ['sampling'] }
  const params = {
    name: 'list_campaigns',
    _meta: { 'io.modelcontextprotocol/clientCapabilities': {} },
  }
  const { status, error } = await ask('tools/call', params, 'modern', context({}, [needy]))
  assert.deepEqual([status, error?.code], [400, -32021])
  assert.deepEqual(error?.data, { requiredCapabilities: { sampling: {} } })
})
