/**
 * A connection that takes more than its share: new tokens to get new rate buckets, and every
 * available event stream.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { minutes, seconds } from 'crier-server/lib/time/clock.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { draftTo } from '../support/businesses/campaign-runs.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { callTool, connect, refresh, type Tokens } from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { ManualClock } from '../support/time/manual-clock.ts'

const clock = new ManualClock()
let service: Service
let other: Service
before(async () => {
  service = await startService({ clock })
  other = await startService({ settings: { STREAMS_PER_CONNECTION: '2' } })
})
after(async () => {
  await service.close()
  await other.close()
})

async function statuses(token: string, n: number): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < n; i += 50) {
    const some = Array.from({ length: Math.min(50, n - i) }, async () => {
      const answer = await callTool(service.url, token, 'svc.v1.business.list')
      await answer.arrayBuffer()
      return answer.status
    })
    all.push(...(await Promise.all(some)))
  }
  return all
}

const passed = (all: number[]) => all.filter((status) => status === 200).length

test('all tokens of a connection share 1,800 requests a minute, however many tokens it makes', async () => {
  const { clientId, tokens } = await connect(service.url)
  let { access_token, refresh_token } = tokens
  const counts: number[] = []
  for (let i = 0; i < 4; i++) {
    counts.push(passed(await statuses(access_token, 601)))
    const next = await refresh(service.url, clientId, refresh_token)
    assert.equal(next.status, 200)
    ;({ access_token, refresh_token } = (await next.json()) as Tokens)
  }
  assert.deepEqual(counts, [600, 600, 600, 0])

  const refused = await callTool(service.url, access_token, 'svc.v1.business.list')
  assert.equal(refused.status, 429)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 61, String(wait))
  assert.equal(refused.headers.get('ratelimit-limit'), '1800')
  assert.equal(refused.headers.get('ratelimit-remaining'), '0')
  const body = (await refused.json()) as Record<string, string>
  assert.equal(body['code'], 'rate_limited')
  assert.match(body['message'] ?? '', /all tokens of one connection/)

  // The limit does not affect another connection of the same person and client.
  const neighbour = await connect(service.url)
  assert.deepEqual(await statuses(neighbour.tokens.access_token, 1), [200])
  clock.forward(seconds(wait))
  assert.deepEqual(await statuses(access_token, 1), [200])
})

async function tokenRows(clientId: string): Promise<{ all: number; live: number }> {
  return service.db.one(sql`
    select count(*)::int as all, count(*) filter (where rotated_at is null)::int as live
    from refresh_tokens join connections on connections.id = connection_id
    where client_id = ${clientId}
  `)
}

test('60 refreshes in an hour pass, and the 61st gets 429 and rotates nothing', async () => {
  const { clientId, tokens } = await connect(service.url)
  let token = tokens.refresh_token
  const rotate = async () => {
    const answer = await refresh(service.url, clientId, token)
    assert.equal(answer.status, 200)
    token = ((await answer.json()) as Tokens).refresh_token
  }
  await rotate()
  clock.forward(minutes(10))
  for (let i = 1; i < 60; i++) await rotate()
  const before = await tokenRows(clientId)
  assert.deepEqual(before, { all: 61, live: 1 })

  const refused = await refresh(service.url, clientId, token)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), String(50 * 60))
  const body = (await refused.json()) as Record<string, unknown>
  assert.deepEqual([body['error'], body['retry_after']], ['rate_limited', 50 * 60])
  assert.deepEqual(await tokenRows(clientId), before)

  clock.forward(minutes(50) - 1)
  assert.equal((await refresh(service.url, clientId, token)).status, 429)
  clock.forward(1)
  // The first of the sixty is an hour old, so the same token allows one more.
  await rotate()
  assert.equal((await refresh(service.url, clientId, token)).status, 429)
  clock.forward(minutes(10))
  for (let i = 0; i < 59; i++) await rotate()
  assert.equal((await refresh(service.url, clientId, token)).status, 429)
})

test('of simultaneous refreshes, the last one allowed in the hour happens once and the chain lives', async () => {
  const { clientId, tokens } = await connect(service.url)
  let token = tokens.refresh_token
  for (let i = 0; i < 59; i++) {
    const answer = await refresh(service.url, clientId, token)
    token = ((await answer.json()) as Tokens).refresh_token
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => refresh(service.url, clientId, token)),
  )
  const made = answers.filter(({ status }) => status === 200)
  assert.equal(made.length, 1)
  assert.deepEqual(await tokenRows(clientId), { all: 61, live: 1 })
  clock.forward(minutes(61))
  const { refresh_token } = (await (made[0] as Response).json()) as Tokens
  assert.equal((await refresh(service.url, clientId, refresh_token)).status, 200)
})

async function watching(target: Service) {
  const testbed = { ...testbedAt(target), service: target, close: () => target.close() }
  const running = await draftTo(testbed, 1)
  const mint = tokenMint(target)
  const business = running.businessId
  const [grant, neighbour] = [
    await newGrant(target.db, { businesses: [business] }),
    await newGrant(target.db, { businesses: [business] }),
  ]
  const url = `${target.config.gatewayUrl}/v1/campaigns/${running.name}/progress`
  const open = async (by: typeof grant, accept = 'text/event-stream') => {
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${await mint(by)}`, accept }
    const answer = await fetch(url, { headers, signal: gone.signal })
    return { answer, end: () => gone.abort() }
  }
  return { grant, neighbour, open }
}

const isStream = (answer: Response) =>
  (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')

test('a connection may hold five event streams with any of its tokens, and the sixth gets 429', async () => {
  const { grant, neighbour, open } = await watching(service)
  const opened = await Promise.all(Array.from({ length: 12 }, () => open(grant)))
  const streams = opened.filter(({ answer }) => answer.status === 200)
  const refused = opened.filter(({ answer }) => answer.status === 429)
  assert.deepEqual([streams.length, refused.length], [5, 7])
  assert.ok(streams.every(({ answer }) => isStream(answer)))
  for (const { answer } of refused) {
    const wait = Number(answer.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 60, String(wait))
    assert.equal(((await answer.json()) as { code: string }).code, 'rate_limited')
  }
  // Single answers are still given, and a neighbour can still open a stream.
  assert.equal((await open(grant, 'application/json')).answer.status, 200)
  const theirs = await open(neighbour)
  assert.ok(isStream(theirs.answer))
  theirs.end()

  streams[0]?.end()
  for (let i = 0; i < 600; i++) {
    const again = await open(grant)
    if (again.answer.status === 200) {
      again.end()
      for (const { end } of streams) end()
      return
    }
    await again.answer.arrayBuffer()
    clock.forward(1_000)
    await new Promise((wake) => setTimeout(wake, 50))
  }
  assert.fail('a stream that ended gave no place')
})

test('the maximum number of event streams is a setting', async () => {
  const { grant, open } = await watching(other)
  const opened = [await open(grant), await open(grant), await open(grant)]
  assert.deepEqual(
    opened.map(({ answer }) => answer.status),
    [200, 200, 429],
  )
  for (const { end } of opened) end()
})
