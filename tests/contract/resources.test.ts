/** Contract, "Resources and their fields": the live parts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  approved,
  callTool,
  clientMetadata,
  connect,
  exchangeForm,
  refresh,
  register,
  type Tokens,
  token,
} from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { json, toolResult } from './assertions.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const redirectUri = 'http://localhost:41870/callback'

test('a registered client has a client_id issued by the registration and no client_secret', async () => {
  const answer = await register(service.url, clientMetadata(redirectUri))
  assert.equal(answer.status, 201)
  const client = await json<Record<string, unknown>>(answer)
  assert.equal(typeof client['client_id'], 'string')
  assert.deepEqual(client['redirect_uris'], [redirectUri])
  assert.equal(client['token_endpoint_auth_method'], 'none')
  assert.equal(client['client_secret'], undefined)
})

test('only the grant types and response types of the contract are registered', async () => {
  const metadata = {
    ...clientMetadata(redirectUri),
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  }
  const client = await json<Record<string, unknown>>(await register(service.url, metadata))
  assert.deepEqual(client['grant_types'], ['authorization_code', 'refresh_token'])
  assert.deepEqual(client['response_types'], ['code'])
})

test('the token response of a code exchange has the contract’s five fields', async () => {
  const grant = await approved(service.url, { scope: 'meta:read forms:read' })
  const answer = await token(service.url, exchangeForm(grant))
  assert.equal(answer.status, 200)
  assertTokens(await json<Tokens>(answer), 'meta:read forms:read')
})

test('the token response of a refresh has the same fields and a new refresh token', async () => {
  const { clientId, tokens } = await connect(service.url)
  const answer = await refresh(service.url, clientId, tokens.refresh_token)
  assert.equal(answer.status, 200)
  const next = await json<Tokens>(answer)
  assertTokens(next, 'meta:read')
  assert.notEqual(next.refresh_token, tokens.refresh_token)
  assert.notEqual(next.access_token, tokens.access_token)
})

test('a business id consists of bus_ and an opaque id', async () => {
  const { tokens } = await connect(service.url)
  const answer = await callTool(service.url, tokens.access_token, 'svc.v1.business.list')
  const { structuredContent } = await toolResult(answer)
  const [business] = structuredContent['businesses'] as { business_id: string }[]
  assert.match(business?.business_id ?? '', /^bus_[A-Za-z0-9]+$/)
})

function assertTokens(tokens: Tokens, scope: string): void {
  assert.equal(tokens.access_token.split('.').length, 3, 'JWT format')
  assert.match(tokens.refresh_token, /^rt_/)
  assert.equal(tokens.expires_in, 3600)
  assert.equal(tokens.token_type, 'Bearer')
  assert.equal(tokens.scope, scope)
}
