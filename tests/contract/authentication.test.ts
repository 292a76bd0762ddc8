/** Contract, "Authentication", by the numbers of its list; 5 is in endpoints/registration. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBusiness } from 'crier-server/accounts/businesses/create.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { operation } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { Type } from 'typebox'
import { probe } from '../interop/fixtures.ts'
import { callTool, connect, refresh, type Tokens } from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { ManualClock } from '../support/time/manual-clock.ts'
import { assertRefused, json, toolResult } from './assertions.ts'

const list = 'svc.v1.business.list'
const clock = new ManualClock()

/** An operation that needs a higher tier than new businesses have here. */
const behindTier = operation({
  name: 'sms.probe',
  title: 'Probe of a tier',
  summary: 'For tests: answers businesses of the tier growth.',
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'growth',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sms-probe',
  input: {},
  output: Type.Object({ reached: Type.Boolean() }),
  async run() {
    return { reached: true }
  },
})

let service: Service
before(async () => {
  service = await startService({
    clock,
    operations: [behindTier],
    settings: { DEFAULT_TIER: 'free' },
  })
})
after(() => service.close())

const call = (token: string, name = list) => callTool(service.url, token, name)
const idsOf = async (token: string): Promise<string[]> => {
  const { structuredContent } = await toolResult(await call(token))
  return (structuredContent['businesses'] as { business_id: string }[]).map(
    (business) => business.business_id,
  )
}
const anotherBusiness = async (email: string): Promise<void> => {
  const owner = await service.db.one<{ id: Id<'user'> }>(
    sql`select id from users where email = ${email}`,
  )
  await service.db.tx((tx) =>
    createBusiness(tx, { name: 'Later', ownerId: owner.id, tier: 'free', now: clock.now() }),
  )
}

test('7: an access token lives exactly 3600 seconds', async () => {
  const { clientId, tokens } = await connect(service.url)
  clock.forward(3_599_000)
  await toolResult(await call(tokens.access_token))
  clock.forward(1_000)
  await assertRefused(await call(tokens.access_token), 401, 'unauthorized')
  const next = await json<Tokens>(await refresh(service.url, clientId, tokens.refresh_token))
  await toolResult(await call(next.access_token))
})

test('7: after a refresh 60 seconds before its expiry, the old token is still valid', async () => {
  const { clientId, tokens } = await connect(service.url)
  clock.forward(3_540_000)
  const next = await json<Tokens>(await refresh(service.url, clientId, tokens.refresh_token))
  await toolResult(await call(tokens.access_token))
  await toolResult(await call(next.access_token))
})

test('10: meta:read is granted whatever scope is requested', async () => {
  for (const scope of ['forms:read', 'no:such', '']) {
    const { tokens } = await connect(service.url, { scope })
    assert.ok(tokens.scope.split(' ').includes('meta:read'), scope)
    await toolResult(await call(tokens.access_token))
  }
})

test('10: exactly the requested scopes and meta:read are granted', async () => {
  const { tokens } = await connect(service.url, { scope: 'forms:read messaging:send' })
  assert.deepEqual(tokens.scope.split(' ').sort(), ['forms:read', 'messaging:send', 'meta:read'])
})

test('10: a further scope is granted through the authorize flow, along with the earlier scopes', async () => {
  const first = await connect(service.url, { scope: 'meta:read' })
  await assertRefused(await call(first.tokens.access_token, probe), 403, 'scope_required')
  const second = await connect(service.url, {
    email: first.email,
    scope: 'meta:read forms:read',
  })
  await toolResult(await call(second.tokens.access_token, probe))
})

test('10: a refresh returns the scopes of the grant and never more', async () => {
  const { clientId, tokens } = await connect(service.url, { scope: 'meta:read' })
  const next = await json<Tokens>(await refresh(service.url, clientId, tokens.refresh_token))
  assert.equal(next.scope, 'meta:read')
  await assertRefused(await call(next.access_token, probe), 403, 'scope_required')
})

test('11: a token without the scope of a tool gets 403 scope_required', async () => {
  const { tokens } = await connect(service.url, { scope: 'meta:read forms:write' })
  await assertRefused(await call(tokens.access_token, probe), 403, 'scope_required')
})

test('11: a business below the tier of a tool gets 403 tier_required', async () => {
  const { tokens } = await connect(service.url)
  const answer = await call(tokens.access_token, 'svc.v1.sms.probe')
  const challenge = answer.headers.get('www-authenticate') ?? ''
  await assertRefused(answer, 403, 'tier_required')
  // If this were reported as a missing scope, a client would authorize again and again.
  assert.doesNotMatch(challenge, /insufficient_scope/)
})

test('12: a business created after the token is not visible until the user authorizes again', async () => {
  const { clientId, email, tokens } = await connect(service.url)
  assert.equal((await idsOf(tokens.access_token)).length, 1)
  await anotherBusiness(email)
  assert.equal((await idsOf(tokens.access_token)).length, 1)
  const next = await json<Tokens>(await refresh(service.url, clientId, tokens.refresh_token))
  assert.equal((await idsOf(next.access_token)).length, 1)
  const again = await connect(service.url, { email })
  assert.equal((await idsOf(again.tokens.access_token)).length, 2)
})

test('one token reaches several businesses, and a call selects one by business_id', async () => {
  const { email } = await connect(service.url)
  await anotherBusiness(email)
  const { tokens } = await connect(service.url, { email })
  const ids = await idsOf(tokens.access_token)
  for (const business_id of ids) {
    const answer = callTool(service.url, tokens.access_token, 'svc.v1.meta.usage', { business_id })
    const { structuredContent } = await toolResult(await answer)
    assert.equal(structuredContent['business_id'], business_id)
  }
  const unnamed = await toolResult(await call(tokens.access_token, 'svc.v1.meta.usage'))
  assert.equal(unnamed.isError, true)
  assert.match(unnamed.content[0]?.text ?? '', new RegExp(ids[1] ?? 'none'))
})
