import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { limits } from '../../config.ts'
import { newId } from '../../core/ids.ts'
import { minutes } from '../../lib/time/clock.ts'
import { createLinkChecks } from './link-checks.ts'

let server: Server
let port: number
/** By host name: the number of requests, the most at once, and those open now. */
let seen: Map<string, { requests: number; most: number; now: number }>
let answerMs = 1
before(async () => {
  server = createServer((request, response) => {
    const host = request.headers.host?.split(':')[0] ?? ''
    const counts = seen.get(host) ?? { requests: 0, most: 0, now: 0 }
    seen.set(host, counts)
    counts.requests++
    counts.most = Math.max(counts.most, ++counts.now)
    setTimeout(() => {
      counts.now--
      response.statusCode = request.url?.startsWith('/gone') ? 404 : 200
      response.end()
    }, answerMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  seen = new Map()
  answerMs = 1
})

const ask = async (url: string) => {
  const { status } = await fetch(url)
  return status < 400 ? undefined : `answers ${status}`
}

function setUpChecks(waitMs = 20_000) {
  const clock = new ManualClock()
  return { clock, check: createLinkChecks({ ask, clock, waitMs }) }
}

const urls = (count: number, from = 0, host = '127.0.0.1') =>
  Array.from({ length: count }, (_, n) => `http://${host}:${port}/${from + n}`)

test('a hundred concurrent previews check each link once, with one request at a time per host', async () => {
  const { check } = setUpChecks()
  const links = [...urls(10), ...urls(10, 0, 'localhost')]
  const reports = await Promise.all(
    Array.from({ length: 100 }, () => check(newId('business'), links)),
  )
  for (const report of reports) {
    assert.deepEqual(report, { links: 20, checked: 20, remaining: 0, dead: [] })
  }
  for (const host of ['127.0.0.1', 'localhost']) {
    const { requests, most } = seen.get(host) ?? {}
    assert.deepEqual({ requests, most }, { requests: 10, most: 1 }, host)
  }
})

test('the result of a link check is cached for ten minutes, including a dead link', async () => {
  const { clock, check } = setUpChecks()
  const business = newId('business')
  const gone = `http://127.0.0.1:${port}/gone`
  const dead = [{ url: gone, fault: 'answers 404' }]
  for (const expected of [1, 1]) {
    assert.deepEqual((await check(business, [gone])).dead, dead)
    assert.equal(seen.get('127.0.0.1')?.requests, expected)
    clock.forward(minutes(10) - 1)
  }
  clock.forward(1)
  assert.deepEqual((await check(business, [gone])).dead, dead)
  assert.equal(seen.get('127.0.0.1')?.requests, 2)
})

test('a preview checks a limited number of links, and the next preview continues', async () => {
  const { check } = setUpChecks()
  const business = newId('business')
  const links = urls(30)
  assert.deepEqual(await check(business, links), {
    links: 30,
    checked: 20,
    remaining: 10,
    dead: [],
  })
  assert.deepEqual(await check(business, links), { links: 30, checked: 30, remaining: 0, dead: [] })
  assert.equal(seen.get('127.0.0.1')?.requests, 30)
})

test('each business can check 200 links a minute, independently of other businesses', async () => {
  const { clock, check } = setUpChecks()
  const [business, other] = [newId('business'), newId('business')]
  const most = limits.linkChecksPerMinute
  for (let from = 0; from < most; from += 20) {
    assert.equal((await check(business, urls(20, from))).checked, 20)
  }
  assert.equal((await check(business, urls(20, most))).checked, 0)
  assert.equal(seen.get('127.0.0.1')?.requests, most)
  assert.equal((await check(business, urls(20))).checked, 20, 'what is known needs no question')
  assert.equal((await check(other, urls(20, most))).checked, 20)
  clock.forward(minutes(1) + 1_000)
  assert.equal((await check(business, urls(20, 2 * most))).checked, 20)
})

test('a preview is answered in time, and links that no preview waits for are not checked', async () => {
  const { check } = setUpChecks(300)
  answerMs = 100
  const began = performance.now()
  const { links, checked } = await check(newId('business'), urls(20))
  assert.ok(performance.now() - began < 10_000)
  assert.ok(links === 20 && checked < 20, `${checked} were checked`)
  await sleep(1_000)
  assert.ok((seen.get('127.0.0.1')?.requests ?? 0) <= checked + 2)
})

test('businesses that check links at the same host take turns', async () => {
  const { check } = setUpChecks()
  answerMs = 20
  const order: string[] = []
  const first = check(newId('business'), urls(20)).then(() => order.push('many'))
  const second = check(newId('business'), urls(1, 100)).then(() => order.push('one'))
  await Promise.all([first, second])
  assert.deepEqual(order, ['one', 'many'])
})

test('a link whose check fails is reported as not checked', async () => {
  const failing = createLinkChecks({
    ask: () => Promise.reject(new Error('the service is stopping')),
    clock: new ManualClock(),
  })
  const report = await failing(newId('business'), urls(2))
  assert.deepEqual(report, { links: 2, checked: 0, remaining: 0, dead: [] })
})
