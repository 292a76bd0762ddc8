/** Contract, "Errors": every live row of the table, and the keys of the error body. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { probe } from '../interop/fixtures.ts'
import {
  approved,
  callTool,
  clientMetadata,
  connect,
  exchangeForm,
  refresh,
  register,
  registered,
  token,
} from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { assertRefused } from './assertions.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const without = (form: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter(([key]) => key !== name))

test('400 invalid_request: client_id, code, code_verifier or redirect_uri is missing', async () => {
  const form = exchangeForm(await approved(service.url))
  for (const name of ['client_id', 'code', 'code_verifier', 'redirect_uri']) {
    const answer = await token(service.url, without(form, name))
    const { message } = await assertRefused(answer, 400, 'invalid_request')
    assert.match(message ?? '', new RegExp(name))
  }
})

test('400 invalid_request: the code_verifier is malformed', async () => {
  const form = exchangeForm(await approved(service.url))
  const answer = await token(service.url, { ...form, code_verifier: 'too short' })
  await assertRefused(answer, 400, 'invalid_request')
})

test('400 invalid_request: a refresh lacks its token, or a request lacks its grant_type', async () => {
  const clientId = await registered(service.url, 'http://localhost:41870/callback')
  const empty = await token(service.url, { grant_type: 'refresh_token', client_id: clientId })
  await assertRefused(empty, 400, 'invalid_request')
  await assertRefused(await token(service.url, { client_id: clientId }), 400, 'invalid_request')
})

test('400 invalid_grant: the code or the refresh token never existed', async () => {
  const form = exchangeForm(await approved(service.url))
  await assertRefused(await token(service.url, { ...form, code: 'x' }), 400, 'invalid_grant')
  const unknown = await refresh(service.url, form['client_id'] ?? '', 'rt_unknown')
  await assertRefused(unknown, 400, 'invalid_grant')
})

test('400 invalid_client: the client does not exist', async () => {
  const form = exchangeForm(await approved(service.url))
  const answer = await token(service.url, { ...form, client_id: 'nobody' })
  await assertRefused(answer, 400, 'invalid_client')
  await assertRefused(await refresh(service.url, 'nobody', 'rt_x'), 400, 'invalid_client')
})

test('400 invalid_client: the client is disabled', async () => {
  const { clientId, tokens } = await connect(service.url)
  await service.db.run(
    sql`update oauth_clients set disabled_at = ${new Date()} where id = ${clientId}`,
  )
  const answer = await refresh(service.url, clientId, tokens.refresh_token)
  await assertRefused(answer, 400, 'invalid_client')
})

test('400 invalid_redirect_uri: the redirect URI is not on the allow-list', async () => {
  const answer = await register(service.url, clientMetadata('https://evil.example/callback'))
  await assertRefused(answer, 400, 'invalid_redirect_uri')
})

test('401 unauthorized: the token is missing, malformed, altered, unsigned or signed by a foreign key', async () => {
  const { tokens } = await connect(service.url)
  const [header = '', payload = '', signature = ''] = tokens.access_token.split('.')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const foreign = sign('sha256', Buffer.from(`${header}.${payload}`), signed).toString('base64url')
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  for (const sent of [
    undefined,
    'x',
    'not a token at all',
    `${header}.${payload}.`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${header}.${payload}.${foreign}`,
    `${none}.${payload}.`,
    tokens.refresh_token,
  ]) {
    const answer = await callTool(service.url, sent, 'svc.v1.business.list')
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /)
    await assertRefused(answer, 401, 'unauthorized')
  }
})

test('401 unauthorized: the authorization scheme is not Bearer', async () => {
  const { tokens } = await connect(service.url)
  const answer = await fetch(service.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: tokens.access_token },
    body: '{}',
  })
  await assertRefused(answer, 401, 'unauthorized')
})

test('403 scope_required: the challenge names the missing scope', async () => {
  const { tokens } = await connect(service.url)
  const answer = await callTool(service.url, tokens.access_token, probe)
  const challenge = answer.headers.get('www-authenticate') ?? ''
  assert.match(challenge, /error="insufficient_scope"/)
  // With what the token has, since clients request exactly these.
  assert.match(challenge, /scope="meta:read forms:read"/)
  await assertRefused(answer, 403, 'scope_required')
})

test('403 scope_required: the scopes that events need are named at both entry points', async () => {
  const { tokens } = await connect(service.url, { scope: 'meta:read provisioning:write' })
  const events = ['form.submitted', 'message.sent']
  const url = 'https://hooks.example/crier'
  const needed = 'forms:read audience:read messaging:send'
  const authorization = `Bearer ${tokens.access_token}`
  const answers = [
    await callTool(service.url, tokens.access_token, 'svc.v1.webhook.save', { url, events }),
    await fetch(`${service.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events }),
    }),
    await fetch(`${service.url}/v1/changes?types=form.submitted&types=message.sent`, {
      headers: { authorization },
    }),
  ]
  for (const answer of answers) {
    const challenge = answer.headers.get('www-authenticate') ?? ''
    const said = /scope="([^"]*)"/.exec(challenge)?.[1]?.split(' ').sort()
    const held = 'meta:read provisioning:write'
    assert.deepEqual(said, `${needed} ${held}`.split(' ').sort(), challenge)
    const body = (await answer.clone().json()) as { scope: string }
    assert.deepEqual(body.scope.split(' ').sort(), needed.split(' ').sort())
    await assertRefused(answer, 403, 'scope_required')
  }
})

test('a 404 response carries an error code, so that no client mistakes it for stale discovery', async () => {
  const answer = await fetch(`${service.url}/functions/v1/nothing-here`, { method: 'POST' })
  await assertRefused(answer, 404, 'not_found')
})
