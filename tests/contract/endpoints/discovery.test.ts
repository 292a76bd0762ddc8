/** Contract, "Endpoints", Discovery. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../support/processes/service.ts'
import { json } from '../assertions.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const wellKnown = '/.well-known/oauth-authorization-server'
const read = async (path: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(service.url + path)
  assert.equal(answer.status, 200, path)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  return json(answer)
}

test('the discovery document names the endpoints at the paths of the contract', async () => {
  const document = await read(wellKnown)
  const { url } = service
  assert.equal(document['issuer'], url)
  assert.equal(document['authorization_endpoint'], `${url}/functions/v1/mcp-oauth`)
  assert.equal(document['token_endpoint'], `${url}/functions/v1/mcp-oauth`)
  assert.equal(document['registration_endpoint'], `${url}/functions/v1/mcp-oauth/register`)
})

test('the discovery document lists exactly what is supported', async () => {
  const document = await read(wellKnown)
  assert.deepEqual(document['response_types_supported'], ['code'])
  assert.deepEqual(document['grant_types_supported'], ['authorization_code', 'refresh_token'])
  assert.deepEqual(document['code_challenge_methods_supported'], ['S256'])
  assert.deepEqual(document['token_endpoint_auth_methods_supported'], ['none'])
})

test('the same discovery document is served at all its locations', async () => {
  const document = await read(wellKnown)
  assert.deepEqual(await read(`/api/functions/svc-mcp${wellKnown}`), document)
})

test('with a base_url apart from app_url, the discovery document is the same and names base_url', async (t) => {
  const apart = await startService({ settings: { APP_URL: 'http://app.localhost:8999' } })
  t.after(() => apart.close())
  const { port } = new URL(apart.config.baseUrl)
  const at = (host: string, path: string) => readFrom(port, host, path)
  const document = await at(`localhost:${port}`, wellKnown)
  assert.equal((document as { issuer: string }).issuer, apart.config.baseUrl)
  assert.deepEqual(await at('app.localhost:8999', wellKnown), document)
  const deep = `/api/functions/svc-mcp${wellKnown}`
  assert.deepEqual(await at('app.localhost:8999', deep), document)
})

/** Reads a path under this host name, on the service's single port in this test. */
async function readFrom(port: string, host: string, path: string): Promise<unknown> {
  const sent = request({ host: '127.0.0.1', port, path, headers: { host } }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  return JSON.parse((await answer.toArray()).join(''))
}
