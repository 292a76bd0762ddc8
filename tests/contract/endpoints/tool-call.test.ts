/** Contract, "Endpoints", Tool call. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Connected, callTool, connect } from '../../support/clients/plain-client.ts'
import { type Service, startService } from '../../support/processes/service.ts'
import { assertRefused, toolResult } from '../assertions.ts'

let service: Service
let connected: Connected
before(async () => {
  service = await startService()
  connected = await connect(service.url)
})
after(() => service.close())

const live = ['svc.v1.meta.capabilities', 'svc.v1.meta.usage', 'svc.v1.business.list']
const call = (name: string, input?: object) =>
  callTool(service.url, connected.tokens.access_token, name, input)
const ownBusiness = async (): Promise<string> => {
  const { structuredContent } = await toolResult(await call('svc.v1.business.list'))
  const [business] = structuredContent['businesses'] as { business_id: string }[]
  return business?.business_id ?? ''
}

test('the contract’s bare tool call is answered without Accept, handshake or session', async () => {
  for (const name of live) {
    const result = await toolResult(await call(name))
    assert.notEqual(result.isError, true, name)
    assert.ok(result.structuredContent, name)
    assert.deepEqual(JSON.parse(result.content[0]?.text ?? ''), result.structuredContent)
  }
})

test('the arguments of a tool call may be omitted', async () => {
  const answer = await fetch(service.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${connected.tokens.access_token}`,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc.v1.business.list"}}',
  })
  await toolResult(answer)
})

test('a JSON-RPC id that is a string is returned unchanged', async () => {
  const answer = await fetch(service.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      authorization: `Bearer ${connected.tokens.access_token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'a-7',
      method: 'tools/call',
      params: { name: 'svc.v1.meta.usage', arguments: {} },
    }),
  })
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as { id: unknown }).id, 'a-7')
})

test('every tool accepts business_id', async () => {
  const business_id = await ownBusiness()
  for (const name of live) {
    const result = await toolResult(await call(name, { business_id }))
    assert.notEqual(result.isError, true, name)
  }
})

test('usage is reported for the business named in the call', async () => {
  const business_id = await ownBusiness()
  const { structuredContent } = await toolResult(await call('svc.v1.meta.usage', { business_id }))
  assert.equal(structuredContent['business_id'], business_id)
})

test("another person's business is answered as if it did not exist", async () => {
  const stranger = await connect(service.url)
  const business_id = await ownBusiness()
  const theirs = await callTool(service.url, stranger.tokens.access_token, 'svc.v1.meta.usage', {
    business_id,
  })
  const result = await toolResult(theirs)
  assert.equal(result.isError, true)
  assert.equal(result.structuredContent['code'], 'not_found')
  const never = 'bus_01jd0000000000000000000000'
  const nothing = await toolResult(await call('svc.v1.meta.usage', { business_id: never }))
  assert.equal(nothing.structuredContent['code'], 'not_found')
})

test('an unknown tool is a JSON-RPC error with HTTP status 200', async () => {
  const answer = await call('svc.v1.nothing.here')
  assert.equal(answer.status, 200)
  const body = (await answer.json()) as { id: number; error: { code: number; message: string } }
  assert.equal(body.id, 1)
  assert.equal(body.error.code, -32602)
  assert.match(body.error.message, /svc\.v1\.nothing\.here/)
})

test('a wrong argument gives an error result that says how to correct it', async () => {
  const result = await toolResult(await call('svc.v1.meta.usage', { business: 'x' }))
  assert.equal(result.isError, true)
  assert.equal(result.structuredContent['code'], 'invalid_request')
  assert.match(result.content[0]?.text ?? '', /business_id/)
})

test('capabilities list every tool with its scope from the contract', async () => {
  const { structuredContent } = await toolResult(await call('svc.v1.meta.capabilities'))
  const tools = structuredContent['tools'] as { name: string; scope: string }[]
  for (const name of live) {
    assert.equal(tools.find((tool) => tool.name === name)?.scope, 'meta:read', name)
  }
  const events = structuredContent['events'] as { type: string }[]
  assert.ok(events.some((event) => event.type === 'form.submitted'))
})

const scopesOfTools = {
  'meta.capabilities': 'meta:read',
  'meta.usage': 'meta:read',
  'business.list': 'meta:read',
  'form.list': 'forms:read',
  'form.submit': 'forms:write',
  'contact.upsert': 'audience:write',
  'email.send': 'messaging:send',
  'sms.send': 'messaging:send',
  'domain.status': 'provisioning:write',
}
const bareNames = ['deploy_campaign', 'generate_campaign', 'list_campaigns', 'pause_campaign']

test('the tools that the contract names have the scopes that it gives them', async () => {
  const { structuredContent } = await toolResult(await call('svc.v1.meta.capabilities'))
  const tools = structuredContent['tools'] as { name: string; scope: string; aliases?: string[] }[]
  for (const [name, scope] of Object.entries(scopesOfTools)) {
    assert.equal(tools.find((tool) => tool.name === `svc.v1.${name}`)?.scope, scope, name)
  }
  const aliases = new Set(tools.flatMap((tool) => tool.aliases ?? []))
  for (const name of bareNames) assert.ok(aliases.has(name), name)
})

test('a call without a token gets 401', async () => {
  const answer = await callTool(service.url, undefined, 'svc.v1.business.list')
  await assertRefused(answer, 401, 'unauthorized')
})
