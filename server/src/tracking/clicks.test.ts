import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { testTracking } from '../../../tests/support/businesses/tracking.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { FakeMessages } from '../../../tests/support/mail/fake-messages.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { limits } from '../config.ts'
import { sql } from '../lib/db/db.ts'
import { minutes, seconds } from '../lib/time/clock.ts'
import { createClicks } from './clicks.ts'
import { visitJobs } from './jobs.ts'
import { createOpens } from './opens.ts'
import type { Visit } from './visitor.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const person: Visit = { method: 'GET', address: '192.0.2.1', agent: firefox, purpose: undefined }
const other: Visit = { ...person, address: '198.51.100.7' }

/** A message with so many links, and one who follows them. */
async function place(links = 3) {
  const { db } = database
  const clock = new ManualClock()
  const messages = new FakeMessages()
  const deps = { db, clock, vault: testVault, messages }
  const message = messages.sent(await newBusiness(db))
  const html = Array.from({ length: links }, (_, i) => `<a href="https://x.test/${i}">${i}</a>`)
  const tracked = await testTracking(db, clock).prepare({
    ...message,
    messageId: message.id,
    kind: 'transactional',
    rendered: { subject: 'a', html: html.join(''), text: 'a' },
  })
  const tokens = [...(tracked.html ?? '').matchAll(/\/c\/([\w-]+)/g)].map(([, token]) => token)
  const open = /\/o\/([\w-]+)/.exec(tracked.html ?? '')?.[1] ?? ''
  const clicks = createClicks(deps)
  const jobs = visitJobs(deps)
  return {
    db,
    clock,
    messages,
    message,
    open: { token: open, keep: createOpens(deps).keep },
    /** Follows the link of this number; the last is the one that no person sees. */
    async follow(link: number, visit = person) {
      const followed = await clicks.find(tokens[link] ?? '')
      if (followed) await clicks.keep(followed, visit)
      return followed?.url
    },
    /** What is told once a moment has passed. */
    async told() {
      clock.forward(seconds(6))
      const due = await db.all<{ kind: string; payload: unknown }>(sql`
        delete from jobs where payload ->> 'message_id' = ${message.id} returning payload
      `)
      for (const { payload } of due) {
        const job = { payload } as Parameters<NonNullable<(typeof jobs)[string]>['run']>[0]
        await jobs['feedback.judge-clicks']?.run(job, new AbortController().signal)
      }
      return messages.news.map(({ url, machine }) => `${url?.slice(-1)} ${machine}`)
    },
    stored: () =>
      db.all<{ kept: number; judged: number }>(sql`
        select count(*)::int as kept, count(judged_at)::int as judged from link_visits
        where message_id = ${message.id}
        group by date_trunc('minute', visited_at) order by date_trunc('minute', visited_at)
      `),
    late: () => jobs['feedback.judge-late-clicks']?.run({} as never, new AbortController().signal),
  }
}

test('a link leads where it led, and the click is told with its URL', async () => {
  const { follow, told } = await place()
  assert.equal(await follow(1), 'https://x.test/1')
  assert.deepEqual(await told(), ['1 false'])
})

test('who follows every link within two seconds is a machine', async () => {
  const { clock, follow, told } = await place()
  for (const link of [0, 1, 2]) {
    await follow(link)
    clock.forward(seconds(1))
  }
  assert.deepEqual((await told()).toSorted(), ['0 true', '1 true', '2 true'])
})

test('who leaves one out, or takes longer, is a person', async () => {
  const some = await place()
  await some.follow(0)
  await some.follow(1)
  assert.deepEqual((await some.told()).toSorted(), ['0 false', '1 false'])
  const slow = await place()
  for (const link of [0, 1, 2]) {
    await slow.follow(link)
    slow.clock.forward(seconds(1) + 1)
  }
  assert.deepEqual((await slow.told()).toSorted(), ['0 false', '1 false', '2 false'])
})

test('of the only link nothing can be told by how it is followed', async () => {
  const { follow, told } = await place(1)
  await follow(0)
  assert.deepEqual(await told(), ['0 false'])
})

test('who follows the link that no person sees is a machine, and no other visitor is', async () => {
  const { follow, told } = await place()
  assert.equal(await follow(3), null)
  await follow(0)
  await follow(1, other)
  assert.deepEqual((await told()).toSorted(), ['0 true', '1 false'])
})

test('HEAD, a program, a mail proxy and a browser that looks ahead are machines', async () => {
  for (const visit of [
    { ...person, method: 'HEAD' },
    { ...person, agent: undefined },
    { ...person, agent: 'Mozilla/5.0' },
    { ...person, agent: 'curl/8.11' },
    { ...person, agent: `${firefox} (via ggpht.com GoogleImageProxy)` },
    { ...person, agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
    { ...person, purpose: 'prefetch;prerender' },
  ]) {
    const { follow, told } = await place()
    await follow(0, visit)
    assert.deepEqual(await told(), ['0 true'], JSON.stringify(visit))
  }
})

test('one click a minute is told for each link, and a judged one is not told again', async () => {
  const { clock, follow, told } = await place()
  for (let n = 0; n < 5; n++) {
    await follow(0)
    await follow(0)
    clock.forward(seconds(2))
  }
  assert.deepEqual(await told(), ['0 false'])
  clock.forward(minutes(1))
  await follow(0)
  assert.deepEqual(await told(), ['0 false', '0 false'])
})

test('a click that its job missed is told a little later', async () => {
  const { db, clock, messages, follow, late } = await place()
  await follow(0)
  await db.run(sql`delete from jobs`)
  clock.forward(minutes(2))
  await late()
  await late()
  assert.equal(messages.news.length, 1)
})

test('a token that was not given out leads nowhere and leaves nothing', async () => {
  const { db, clock } = await place()
  const clicks = createClicks({ db, clock, vault: testVault })
  for (const token of ['', 'x', 'A'.repeat(82), 'https://evil.test/']) {
    assert.equal(await clicks.find(token), undefined)
  }
})

test('an open is told once a minute, a proxy beside a person', async () => {
  const { clock, messages, open } = await place()
  const proxy = { ...person, agent: 'Mozilla/5.0' }
  for (const visit of [person, person, proxy, proxy]) await open.keep(open.token, visit)
  await open.keep('forged', person)
  const told = () => messages.news.map(({ event, machine }) => `${event} ${machine}`)
  assert.deepEqual(told(), ['opened false', 'opened true'])
  clock.forward(minutes(1))
  await open.keep(open.token, person)
  assert.equal(told().length, 3)
})

const crowd = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ ...person, agent: `${firefox} ${from + n}` }))

test('of the visits to a message in a minute so many are kept, in one go or in several', async () => {
  const { clock, follow, told, stored } = await place()
  const most = limits.visitsPerMessageMinute
  await Promise.all(crowd(most - 1).map((visit) => follow(0, visit)))
  await Promise.all(crowd(most - 1).map((visit) => follow(0, visit)))
  assert.equal((await stored())[0]?.kept, most - 1, 'copies use up no room')
  await Promise.all(crowd(300, most).map((visit) => follow(1, visit)))
  await Promise.all(crowd(300, 1_000).map((visit) => follow(2, visit)))
  assert.equal((await stored())[0]?.kept, most)
  clock.forward(minutes(1))
  await Promise.all(crowd(300, 2_000).map((visit) => follow(2, visit)))
  assert.deepEqual(
    (await stored()).map(({ kept }) => kept),
    [most, most],
  )
  assert.deepEqual((await told()).toSorted(), ['0 false', '1 false', '2 false'])
})

test('a scanner of more links than are kept is still found out', async () => {
  const { follow, told } = await place(60)
  await follow(0, other)
  await Promise.all(Array.from({ length: 60 }, (_, link) => follow(link)))
  const news = await told()
  // The first link was followed by both.
  assert.equal(news.length, limits.visitsPerMessageMinute - 1)
  assert.ok(news.every((one) => one?.endsWith(' true')))
})

test('many rows that an attack left are judged in bounded reads, and all are done with', async () => {
  const { db, clock, message, messages, stored, late } = await place()
  const now = clock.now()
  await db.run(sql`
    insert into link_visits (business_id, message_id, id, link_hash, links, visitor, machine,
      visited_at)
    select ${message.businessId}, ${message.id}, gen_random_uuid(), l.hash, 3,
      decode(lpad(to_hex(n), 16, '0'), 'hex'), false,
      ${now}::timestamptz + n * interval '120 milliseconds'
    from generate_series(1, 30000) n, (
      select hash from tracked_links where business_id = ${message.businessId} order by hash limit 1
    ) l
  `)
  clock.forward(minutes(120))
  for (let n = 0; n < 5; n++) await late()
  for (const { kept, judged } of await stored()) {
    assert.ok(kept <= limits.visitsPerMessageMinute)
    assert.equal(judged, kept)
  }
  // 30,000 in 60 minutes, of which a clock's minute may be cut at both ends.
  assert.ok(messages.news.length >= 60 && messages.news.length <= 61, `${messages.news.length}`)
})
