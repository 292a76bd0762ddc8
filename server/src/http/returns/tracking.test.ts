import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { testTracking } from '../../../../tests/support/businesses/tracking.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { FakeMessages } from '../../../../tests/support/mail/fake-messages.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database } from '../../lib/db/types.ts'
import { createLocalLimit } from '../../lib/rate-limit/local-limit.ts'
import { createClicks } from '../../tracking/clicks.ts'
import { createOpens } from '../../tracking/opens.ts'
import { createServer } from '../server.ts'
import { registerTracking } from './tracking.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const target = 'https://shop.test/caf%C3%A9?a=1&b=%0d%0aX-Evil:%201'

async function setUpTracking(changes: Partial<Database> = {}, perMinute = 100) {
  const { db } = database
  const clock = new ManualClock()
  const messages = new FakeMessages()
  const message = messages.sent(await newBusiness(db))
  const deps = { db: { ...db, ...changes }, clock, vault: testVault, messages }
  const server = createServer({ log: silentLog, bodyLimit: 1_000, trustProxy: false, https: false })
  const visitLimit = createLocalLimit({ clock, perMinute })
  const [clicks, opens] = [createClicks(deps), createOpens(deps)]
  registerTracking(server, { clicks, opens, visitLimit, log: silentLog })
  const rendered = { subject: 'a', text: 'a', html: `<a href="${target}">a</a>` }
  const what = { ...message, messageId: message.id, kind: 'transactional' as const, rendered }
  const { html = '' } = await testTracking(db, clock).prepare(what)
  const [click = '', hidden = ''] = [...html.matchAll(/\/c\/[\w-]+/g)].map(([path]) => path)
  const [open = ''] = /\/o\/[\w-]+/.exec(html) ?? []
  const headers = { 'user-agent': 'Mozilla/5.0 (X11) Firefox/145.0' }
  return {
    messages,
    paths: { click, hidden, open },
    ask: (url: string, method: 'GET' | 'HEAD' = 'GET', remoteAddress = '192.0.2.1') =>
      server.inject({ method, url, headers, remoteAddress }),
    visits: () =>
      db.all<{ machine: boolean; hidden: boolean }>(sql`
      select machine, link_hash is null as hidden from link_visits
      where business_id = ${message.businessId} order by visited_at, id
    `),
  }
}

test('a tracking link redirects to its stored target, and is not cacheable', async () => {
  const { paths, ask, visits } = await setUpTracking()
  const answer = await ask(paths.click)
  assert.equal(answer.statusCode, 302)
  assert.equal(answer.headers['location'], target)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.deepEqual(await visits(), [{ machine: false, hidden: false }])
})

test('HEAD is answered like GET, and counts as a machine', async () => {
  const { paths, ask, visits } = await setUpTracking()
  const answer = await ask(paths.click, 'HEAD')
  assert.deepEqual([answer.statusCode, answer.headers['location']], [302, target])
  assert.deepEqual(await visits(), [{ machine: true, hidden: false }])
})

test('a request cannot change where a tracking link leads', async () => {
  const { paths, ask } = await setUpTracking()
  const asked = await ask(`${paths.click}?url=https://evil.test/&to=https://evil.test/`)
  assert.equal(asked.headers['location'], target)
  for (const path of [
    `${paths.click.slice(0, -1)}${paths.click.endsWith('A') ? 'B' : 'A'}`,
    `${paths.open.replace('/o/', '/c/')}`,
    '/c/https%3A%2F%2Fevil.test%2F',
    '/c/x',
  ]) {
    const answer = await ask(path)
    assert.deepEqual([answer.statusCode, answer.headers['location']], [404, undefined], path)
  }
})

test('the hidden link leads nowhere', async () => {
  const { paths, ask, visits } = await setUpTracking()
  const answer = await ask(paths.hidden)
  assert.deepEqual([answer.statusCode, answer.headers['location']], [200, undefined])
  assert.deepEqual(await visits(), [{ machine: false, hidden: true }])
})

test('the tracking image is an image, even if the message is unknown', async () => {
  const { messages, paths, ask } = await setUpTracking()
  for (const path of [paths.open, '/o/forged']) {
    const answer = await ask(path)
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'image/gif')
    assert.match(String(answer.headers['cache-control']), /no-store/)
    assert.equal(answer.rawPayload.subarray(0, 6).toString(), 'GIF89a')
  }
  assert.deepEqual(
    messages.news.map(({ event }) => event),
    ['opened'],
  )
})

test('while the database is unavailable, visitors are still redirected', async () => {
  const { paths, ask } = await setUpTracking({ tx: () => Promise.reject(new Error('away')) })
  assert.equal((await ask(paths.click)).headers['location'], target)
  assert.equal((await ask(paths.open)).statusCode, 200)
})

test('over the rate limit of a network visitors are still redirected, but nothing is recorded', async () => {
  const { messages, paths, ask, visits } = await setUpTracking({}, 2)
  for (const path of [paths.click, paths.hidden]) assert.ok((await ask(path)).statusCode < 400)
  const answer = await ask(paths.click, 'HEAD')
  assert.deepEqual([answer.statusCode, answer.headers['location']], [302, target])
  const image = await ask(paths.open)
  assert.deepEqual([image.statusCode, image.headers['content-type']], [200, 'image/gif'])
  assert.equal((await visits()).length, 2)
  assert.deepEqual(messages.news, [])
  await ask(paths.click, 'HEAD', '198.51.100.7')
  assert.equal((await visits()).length, 3, 'another network has its own')
})
