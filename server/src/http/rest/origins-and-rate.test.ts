/** The rules that the gateway shares with the tool-call endpoint: allowed origins and the rate. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { newGrant, tokenMint } from '../../../../tests/support/clients/grants.ts'
import { callTool } from '../../../../tests/support/clients/plain-client.ts'
import { type Service, startService } from '../../../../tests/support/processes/service.ts'
import { limits } from '../../config.ts'

let service: Service
let newToken: () => Promise<string>

before(async () => {
  service = await startService({ idle: true })
  const business = await newBusiness(service.db)
  const grant = await newGrant(service.db, { businesses: [business] })
  const mint = tokenMint(service)
  newToken = () => mint(grant)
})
after(() => service.close())

function get(token: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${token}`
  return fetch(`${service.url}/v1/businesses`, { headers: { authorization, ...headers } })
}

test('a page of our own origin can call and read, and a page of another origin cannot', async () => {
  const token = await newToken()
  const own = await get(token, { origin: service.url })
  assert.equal(own.status, 200)
  assert.equal(own.headers.get('access-control-allow-origin'), service.url)
  assert.equal(own.headers.get('vary'), 'Origin')
  assert.match(own.headers.get('access-control-expose-headers') ?? '', /x-request-id/)
  const other = await get(token, { origin: 'https://evil.example' })
  assert.equal(other.status, 403)
  assert.equal(other.headers.get('access-control-allow-origin'), null)
  assert.equal(((await other.json()) as { code: string }).code, 'forbidden_origin')
})

test('a preflight is answered without a token, for every method and the Idempotency-Key header', async () => {
  const url = `${service.url}/v1/forms/frm_1`
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: service.url } })
  assert.equal(preflight.status, 204)
  const methods = preflight.headers.get('access-control-allow-methods') ?? ''
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    assert.ok(methods.includes(method))
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /idempotency-key/)
})

test('a token has one rate limit for both entry points, and the headers show what is left', async () => {
  const token = await newToken()
  const first = await get(token)
  assert.equal(first.headers.get('ratelimit-limit'), String(limits.requestsPerMinute))
  assert.equal(first.headers.get('ratelimit-remaining'), String(limits.requestsPerMinute - 1))
  await callTool(service.url, token, 'svc.v1.business.list')
  const third = await get(token)
  assert.equal(third.headers.get('ratelimit-remaining'), String(limits.requestsPerMinute - 3))

  const rest = limits.requestsPerMinute - 3
  const statuses = await Promise.all(
    Array.from({ length: rest }, async (_, i) => {
      const answer = await (i % 2
        ? get(token)
        : callTool(service.url, token, 'svc.v1.business.list'))
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  assert.deepEqual(new Set(statuses), new Set([200]))
  const over = await get(token)
  assert.equal(over.status, 429)
  const body = (await over.json()) as { code: string; retry_after: number }
  assert.equal(body.code, 'rate_limited')
  assert.equal(over.headers.get('retry-after'), String(body.retry_after))
  assert.equal((await get(await newToken())).status, 200)
})
