/** Contract, "Limits": 600 requests a minute per token. Lifetimes: authentication and states. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callTool, connect, refresh, type Tokens } from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { ManualClock } from '../support/time/manual-clock.ts'
import { assertRefused, json, toolResult } from './assertions.ts'

const limit = 600
const clock = new ManualClock()
let service: Service
before(async () => {
  service = await startService({ clock })
})
after(() => service.close())

const call = (token: string) => callTool(service.url, token, 'svc.v1.business.list')
const spend = async (token: string, n: number): Promise<number[]> => {
  const statuses: number[] = []
  for (let i = 0; i < n; i += 50) {
    const some = Array.from({ length: Math.min(50, n - i) }, async () => {
      const answer = await call(token)
      await answer.arrayBuffer()
      return answer.status
    })
    statuses.push(...(await Promise.all(some)))
  }
  return statuses
}

test('600 requests in a minute pass, the 601st gets 429, and a minute later a request passes', async () => {
  const { tokens } = await connect(service.url)
  const statuses = await spend(tokens.access_token, limit)
  assert.ok(statuses.every((status) => status === 200))
  const refused = await call(tokens.access_token)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(refused.headers.get('ratelimit-limit'), String(limit))
  assert.equal(refused.headers.get('ratelimit-remaining'), '0')
  await assertRefused(refused, 429, 'rate_limited')
  clock.forward(61_000)
  await toolResult(await call(tokens.access_token))
})

test('each token has its own rate limit bucket', async () => {
  const first = await connect(service.url)
  const second = await connect(service.url, { email: first.email })
  await spend(first.tokens.access_token, limit)
  assert.equal((await call(first.tokens.access_token)).status, 429)
  await toolResult(await call(second.tokens.access_token))
})

test('a refreshed token starts its own rate limit bucket', async () => {
  const { clientId, tokens } = await connect(service.url)
  await spend(tokens.access_token, limit)
  assert.equal((await call(tokens.access_token)).status, 429)
  const next = await json<Tokens>(await refresh(service.url, clientId, tokens.refresh_token))
  await toolResult(await call(next.access_token))
})

test('never more than 600 requests pass in any 60 seconds', async () => {
  const { tokens } = await connect(service.url)
  await spend(tokens.access_token, 300)
  clock.forward(40_000)
  await spend(tokens.access_token, 300)
  clock.forward(19_000)
  assert.equal((await call(tokens.access_token)).status, 429)
  clock.forward(2_000)
  const statuses = await spend(tokens.access_token, 301)
  assert.equal(statuses.filter((status) => status === 200).length, 300)
})

test('every response carries the remaining requests in a header', async () => {
  const { tokens } = await connect(service.url)
  const answers = [await call(tokens.access_token), await call(tokens.access_token)]
  assert.deepEqual(
    answers.map((answer) => answer.headers.get('ratelimit-remaining')),
    ['599', '598'],
  )
})
