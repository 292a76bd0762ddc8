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
import { later, minutes, seconds } from '../lib/time/clock.ts'
import { createClicks, visitJobs } from './clicks.ts'
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

/** A message with `links` links, and a visitor who follows them. */
async function setUpClicks(links = 3) {
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
    /** Follows the link with this index; the last one is invisible to people. */
    async follow(link: number, visit = person) {
      const followed = await clicks.find(tokens[link] ?? '')
      if (followed) await clicks.keep(followed, visit)
      return followed?.url
    },
    /** The reports a moment later: each link, and whether a machine followed it. */
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

test('a tracked link leads to its URL, and the click is reported with that URL', async () => {
  const { follow, told } = await setUpClicks()
  assert.equal(await follow(1), 'https://x.test/1')
  assert.deepEqual(await told(), ['1 false'])
})

test('a visitor who follows every link within two seconds is judged a machine', async () => {
  const { clock, follow, told } = await setUpClicks()
  for (const link of [0, 1, 2]) {
    await follow(link)
    clock.forward(seconds(1))
  }
  assert.deepEqual((await told()).toSorted(), ['0 true', '1 true', '2 true'])
})

test('a visitor who skips a link or takes longer than two seconds is judged a person', async () => {
  const some = await setUpClicks()
  await some.follow(0)
  await some.follow(1)
  assert.deepEqual((await some.told()).toSorted(), ['0 false', '1 false'])
  const slow = await setUpClicks()
  for (const link of [0, 1, 2]) {
    await slow.follow(link)
    slow.clock.forward(seconds(1) + 1)
  }
  assert.deepEqual((await slow.told()).toSorted(), ['0 false', '1 false', '2 false'])
})

test('a visitor who follows the only link of a mail is judged a person', async () => {
  const { follow, told } = await setUpClicks(1)
  await follow(0)
  assert.deepEqual(await told(), ['0 false'])
})

test('a visitor who follows the hidden link is judged a machine, and other visitors are not', async () => {
  const { follow, told } = await setUpClicks()
  assert.equal(await follow(3), null)
  await follow(0)
  await follow(1, other)
  assert.deepEqual((await told()).toSorted(), ['0 true', '1 false'])
})

test('HEAD requests, programs, mail proxies and prefetching browsers are judged machines', async () => {
  for (const visit of [
    { ...person, method: 'HEAD' },
    { ...person, agent: undefined },
    { ...person, agent: 'Mozilla/5.0' },
    { ...person, agent: 'curl/8.11' },
    { ...person, agent: `${firefox} (via ggpht.com GoogleImageProxy)` },
    { ...person, agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
    { ...person, purpose: 'prefetch;prerender' },
  ]) {
    const { follow, told } = await setUpClicks()
    await follow(0, visit)
    assert.deepEqual(await told(), ['0 true'], JSON.stringify(visit))
  }
})

test('one click a minute is reported for each link, and a judged click is not reported again', async () => {
  const { clock, follow, told } = await setUpClicks()
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

test('a click that its job missed is reported a little later', async () => {
  const { db, clock, messages, follow, late } = await setUpClicks()
  await follow(0)
  await db.run(sql`delete from jobs`)
  clock.forward(minutes(2))
  await late()
  await late()
  assert.equal(messages.news.length, 1)
})

test('a token that was never issued leads nowhere and stores nothing', async () => {
  const { db, clock } = await setUpClicks()
  const clicks = createClicks({ db, clock, vault: testVault })
  for (const token of ['', 'x', 'A'.repeat(82), 'https://evil.test/']) {
    assert.equal(await clicks.find(token), undefined)
  }
})

test('an open is reported once a minute, separately for a person and a proxy', async () => {
  const { clock, messages, open } = await setUpClicks()
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

test('at most a fixed number of visits a minute is stored for a message, in one batch or in several', async () => {
  const { clock, follow, told, stored } = await setUpClicks()
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

test('a scanner that follows more links than are stored is still recognised', async () => {
  const { follow, told } = await setUpClicks(60)
  await follow(0, other)
  await Promise.all(Array.from({ length: 60 }, (_, link) => follow(link)))
  const news = await told()
  // Both visitors followed the first link.
  assert.equal(news.length, limits.visitsPerMessageMinute - 1)
  assert.ok(news.every((text) => text?.endsWith(' true')))
})

test('very many rows from an attack are judged in bounded reads, and all are processed', async () => {
  const { db, clock, message, messages, stored, late } = await setUpClicks()
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
  // 30,000 in 60 minutes, whose first and last clock minutes may be partial.
  assert.ok(messages.news.length >= 60 && messages.news.length <= 61, `${messages.news.length}`)
})

const readersProxies = [
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
]

test('opens by the proxies of Gmail and Yahoo are scans at delivery, and later those of readers', async () => {
  for (const agent of readersProxies) {
    const { clock, message, messages, open } = await setUpClicks()
    const opened = async () => {
      await open.keep(open.token, { ...person, agent })
      clock.forward(minutes(1))
      return messages.news.pop()?.machine
    }
    assert.equal(await opened(), true, 'its acceptance is not recorded yet')
    for (const [after, machine] of [
      [0, true],
      [seconds(9), true],
      [seconds(10), false],
      [minutes(60 * 24), false],
    ] as const) {
      messages.accepted.set(message.id, later(clock.now(), -after))
      assert.equal(await opened(), machine, `${agent} after ${after} ms`)
    }
    await open.keep(open.token, { ...person, agent, method: 'HEAD' })
    assert.equal(messages.news.pop()?.machine, true)
  }
})

test('proxies that load all images are machines, however late', async () => {
  const { clock, message, messages, open } = await setUpClicks()
  messages.accepted.set(message.id, later(clock.now(), -minutes(60)))
  for (const agent of ['Mozilla/5.0', 'duckduckgo-email-protection']) {
    await open.keep(open.token, { ...person, agent })
    assert.equal(messages.news.pop()?.machine, true, agent)
    clock.forward(minutes(1))
  }
})
