/** Fetching from a blog that is slow: each request has its time, and all of them together have theirs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seconds } from '../lib/time/clock.ts'
import { type FetchDeps, fetchFeed } from './fetch.ts'

interface Wish {
  url: string
  deadlineMs: number
  bodyMs: number
}

/** A client whose answers a test gives, with what it was asked. */
function client(answer: (wish: Wish) => object) {
  const wishes: Wish[] = []
  const fetch = async (wish: Wish) => {
    wishes.push(wish)
    return answer(wish)
  }
  const outbound = { get: async () => ({ fetch }) } as unknown as FetchDeps['outbound']
  return { outbound, wishes }
}

test('a blog that does not answer in ten seconds is away, and may be back at its next time', async () => {
  const { outbound, wishes } = client(() => ({ outcome: 'failed', reason: 'timeout' }))
  assert.deepEqual(await fetchFeed({ outbound }, { url: 'https://slow.example/feed' }), {
    outcome: 'broken',
    problem: 'does not answer in time',
    isAway: true,
  })
  assert.deepEqual(
    wishes.map(({ deadlineMs, bodyMs }) => [deadlineMs, bodyMs]),
    [[seconds(10), seconds(20)]],
  )
})

test('one that sends on slowly has thirty seconds for all of its addresses', async (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const { outbound, wishes } = client(({ url }) => {
    now += seconds(8)
    const headers = { location: `/${Number(new URL(url).pathname.slice(1)) + 1}` }
    return { outcome: 'answered', status: 302, headers, body: Buffer.alloc(0), complete: true }
  })
  const { outcome, ...failure } = await fetchFeed({ outbound }, { url: 'https://slow.example/1' })
  assert.deepEqual(
    [outcome, failure],
    ['broken', { problem: 'does not answer in time', isAway: true }],
  )
  assert.deepEqual(
    wishes.map(({ url, deadlineMs, bodyMs }) => [new URL(url).pathname, deadlineMs, bodyMs]),
    [
      ['/1', seconds(10), seconds(20)],
      ['/2', seconds(10), seconds(20)],
      ['/3', seconds(10), seconds(14)],
      ['/4', seconds(6), seconds(6)],
    ],
  )
})

test('one that breaks off within its feed is told as such', async () => {
  const body = Buffer.from('<rss><channel><title>Tea')
  const { outbound } = client(() => ({
    outcome: 'answered',
    status: 200,
    headers: {},
    body,
    complete: false,
  }))
  const failure = await fetchFeed({ outbound }, { url: 'https://slow.example/feed' })
  assert.deepEqual(failure, { outcome: 'broken', problem: 'ends before its end', isAway: false })
})
