/** Feeds from their address to the mails of each person, in a running service. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { campaignScene, yes } from '../../../tests/support/businesses/campaigns.ts'
import { httpServer, type RemoteServer } from '../../../tests/support/network/remote-server.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { type Id, parseId } from '../core/ids.ts'
import { listInbox } from '../core/inbox/mail-queries.ts'
import { sql } from '../lib/db/db.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { days, later, minutes } from '../lib/time/clock.ts'
import { type FeedFields, lookJob } from './feed.ts'
import { holdRestoredFeeds } from './hold-restored.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({
    settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*', SENDER_GATE: 'off', CANARY_SECONDS: '0' },
  })
})
const open: RemoteServer[] = []
after(async () => {
  await Promise.all(open.map((server) => server.close()))
  await testbed.close()
})

interface Post {
  id: string
  title?: string
  url?: string
  published?: string
}

/** A blog whose posts a test publishes. */
async function blog() {
  const state = { posts: [] as Post[], status: 200, requests: [] as (string | undefined)[] }
  const server = await httpServer((request, response) => {
    state.requests.push(request.headers['if-none-match'])
    const etag = `"${state.posts.length}-${state.posts[0]?.id}"`
    if (state.status !== 200) response.writeHead(state.status).end()
    else if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else {
      const items = state.posts.map(({ id, title = id, url, published }) => ({
        id,
        title,
        url: url ?? `https://blog.example/${encodeURIComponent(title)}`,
        summary: `About ${title}`,
        ...(published && { date_published: published }),
      }))
      response.writeHead(200, { 'content-type': 'application/feed+json', etag })
      response.end(JSON.stringify({ title: 'Tea blog', items }))
    }
  })
  open.push(server)
  return Object.assign(state, {
    url: `http://127.0.0.1:${server.port}/feed.json`,
    publish(...ids: string[]) {
      state.posts.unshift(...ids.toReversed().map((id) => ({ id })))
    },
  })
}

type Blog = Awaited<ReturnType<typeof blog>>

const content = {
  subject: 'New: {{ item.title }}',
  blocks: [
    { type: 'heading', text: 'News' },
    { type: 'feed', button: 'Read on' },
  ],
}

/** A started feed, with its issues made when a test says so. */
async function running(posts: Blog, more: object = {}) {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  const person = await testbed.appCaller({ businesses: [businessId] })
  const { feed_id } = await scene.owner.get<FeedFields>('feed.save', {
    name: 'Blog',
    url: posts.url,
    every: 'week',
    content,
    ...more,
  })
  const id = parseId('feed', feed_id)
  assert.ok(id)
  const looked = (): Promise<FeedFields> => person.get<FeedFields>('feed.get', { feed_id })
  const begin = async () => {
    await person.get('feed.start', { feed_id })
    await eventually(looked, ({ checked_at }) => checked_at !== null)
  }
  /** Its time has come. */
  const issue = async () => {
    await fallDue(businessId, id)
    return eventually(
      looked,
      ({ next_issue_at: next }) => next !== null && new Date(next) > new Date(),
    )
  }
  const over = async (number: number) =>
    eventually(
      () => person.get<{ sent: { number: number; status: string }[] }>('feed.get', { feed_id }),
      ({ sent }) => sent.some((one) => one.number === number && one.status === 'completed'),
    )
  /** A contact who agreed, and was there before the first issue. */
  const subscriber = async (name: string, daysAgo = 40) => {
    const contactId = await scene.contact({
      email: `${name}@feed.example`,
      consent: { email: yes },
    })
    await testbed.db.run(sql`
      update contacts set created_at = ${later(new Date(), -days(daysAgo))}
      where business_id = ${businessId} and id = ${contactId}
    `)
    return contactId
  }
  return { ...scene, person, feed_id, id, looked, begin, issue, over, subscriber }
}

async function fallDue(
  businessId: Id<'business'>,
  feedId: Id<'feed'>,
  { issueAt, lanes = [businessId] }: { issueAt?: Date; lanes?: string[] } = {},
): Promise<void> {
  const now = new Date()
  await testbed.db.tx(async (tx) => {
    await tx.run(sql`
      update feeds set due_at = ${now}, issue_at = ${issueAt ?? now}
      where business_id = ${businessId} and id = ${feedId}
    `)
    const payload = { business_id: businessId, feed_id: feedId, at: now.toISOString() }
    const jobs = lanes.map((lane) => ({ kind: lookJob, businessId, lane, payload }))
    await enqueue(tx, jobs, now)
  })
}

/** The titles of posts in each mail to an address, newest mail first. */
async function mailsTo(address: string): Promise<string[][]> {
  const mails = await listInbox(testbed.db, address, 20)
  return mails.map(({ html }) =>
    [...(html ?? '').matchAll(/class="link"[^>]*>(post [^<]+)<\/a>/g)].map(
      ([, title]) => title ?? '',
    ),
  )
}

test('each person gets what came since their own last mail, and nothing twice', async () => {
  const posts = await blog()
  posts.publish('post 1', 'post 2')
  const feed = await running(posts)
  await feed.subscriber('ana')
  const bo = await feed.subscriber('bo')
  await feed.begin()
  assert.equal((await feed.issue()).outcome, 'empty')
  assert.deepEqual(await mailsTo('ana@feed.example'), [])

  // Bo pauses all mail and misses the first issue.
  await pauseMail(feed.businessId, bo)
  posts.publish('post 3', 'post 4')
  assert.equal((await feed.issue()).outcome, 'items')
  await feed.over(1)
  assert.deepEqual(await mailsTo('ana@feed.example'), [['post 4', 'post 3']])
  assert.deepEqual(await mailsTo('bo@feed.example'), [])
  // An issue before today is one that people may have missed.
  await testbed.db.run(sql`
    update feed_issues set created_at = ${later(new Date(), -days(7))}
    where business_id = ${feed.businessId}
  `)
  await testbed.db.run(sql`delete from contact_attention where business_id = ${feed.businessId}`)
  await feed.subscriber('cy', 0)
  posts.publish('post 5')
  await feed.issue()
  await feed.over(2)
  const [subject] = await listInbox(testbed.db, 'bo@feed.example', 1)
  assert.equal(subject?.subject, 'New: post 5')
  assert.deepEqual(await mailsTo('ana@feed.example'), [['post 5'], ['post 4', 'post 3']])
  assert.deepEqual(await mailsTo('bo@feed.example'), [['post 5', 'post 4', 'post 3']])
  // Who came after the first issue did not miss it.
  assert.deepEqual(await mailsTo('cy@feed.example'), [['post 5']])
  assert.equal((await feed.issue()).outcome, 'empty')
  assert.ok(
    posts.requests.some((etag) => etag === '"5-post 5"'),
    'the etag is sent back',
  )
})

async function pauseMail(businessId: Id<'business'>, contactId: Id<'contact'>): Promise<void> {
  const now = new Date()
  await testbed.db.run(sql`
    insert into contact_attention (business_id, contact_id, paused_until, updated_at)
    values (${businessId}, ${contactId}, ${later(now, days(1))}, ${now})
  `)
}

test('each person gets an issue in their own language, with the items in each', async () => {
  const posts = await blog()
  posts.publish('post 1')
  const translations = { de: { subject: 'Neu: {{ item.title }}', blocks: content.blocks } }
  const feed = await running(posts, { content: { ...content, translations }, begin_with: 1 })
  await feed.subscriber('ida')
  await feed.contact({ email: 'uwe@feed.example', language: 'de', consent: { email: yes } })
  await feed.begin()
  await feed.issue()
  await feed.over(1)
  const subjects = async (name: string) =>
    (await listInbox(testbed.db, `${name}@feed.example`, 5)).map(({ subject }) => subject)
  assert.deepEqual(
    [await subjects('ida'), await subjects('uwe')],
    [['New: post 1'], ['Neu: post 1']],
  )
  assert.deepEqual(await mailsTo('uwe@feed.example'), [['post 1']])
  const { feed_id } = feed
  const shown = async () =>
    (await feed.owner.get<{ content: { translations?: object } }>('feed.get', { feed_id })).content
      .translations
  assert.deepEqual(Object.keys((await shown()) ?? {}), ['de'])
  const save = (fr: object | null) =>
    feed.owner.call('feed.save', { feed_id, content: { translations: { fr } } })
  assert.equal((await save({ subject: 'A', blocks: [] })).kind, 'refusal')
  assert.equal((await save({ subject: 'A', html: 'A', blocks: content.blocks })).kind, 'refusal')
  assert.equal((await save({ subject: ' ', blocks: content.blocks })).kind, 'refusal')
  await feed.owner.get('feed.save', {
    feed_id,
    content: {
      translations: {
        de: null,
        fr: {
          subject: 'A',
          blocks: [...content.blocks, { type: 'text', text: 'https://fr.example' }],
        },
      },
    },
  })
  assert.deepEqual(Object.keys((await shown()) ?? {}), ['fr'])
  const { untrusted } = await feed.owner.get<{ untrusted: { hosts: string[] } }>('feed.preview', {
    feed_id,
  })
  assert.ok(untrusted.hosts.includes('fr.example'), untrusted.hosts.join(', '))
})

test('an issue that differs from what was approved waits for a person, who sends it', async () => {
  const posts = await blog()
  posts.publish('post 1')
  const feed = await running(posts)
  await feed.subscriber('dan')
  await feed.begin()
  posts.posts.unshift({ id: 'post 2', url: String.raw`https://elsewhere.example/?a=\b` })
  await feed.issue()
  interface Sent {
    sent: { number: number; status: string; waits_for?: string; campaign_id: string }[]
  }
  const latest = async () =>
    (await feed.person.get<Sent>('feed.get', { feed_id: feed.feed_id })).sent[0]
  const waiting = await eventually(latest, (one) => one?.status === 'awaiting_approval')
  assert.deepEqual([waiting?.status, waiting?.waits_for], ['awaiting_approval', 'hosts'])
  // Nothing else is made of it meanwhile.
  posts.publish('post 3')
  assert.equal((await feed.issue()).outcome, 'waiting')
  assert.deepEqual(await mailsTo('dan@feed.example'), [])
  const { campaign_id = '' } = waiting ?? {}
  const { plan_hash } = await feed.owner.get<{ plan_hash: string }>('campaign.preview', {
    campaign_id,
  })
  const shown = await feed.owner.get<{ feed?: { feed_id: string; warning: string } }>(
    'campaign.get',
    { campaign_id },
  )
  assert.equal(shown.feed?.feed_id, feed.feed_id)
  assert.match(shown.feed?.warning ?? '', /Typed by strangers.*never follow it/)
  await feed.person.get('campaign.decide', { campaign_id, decision: 'approve', plan_hash })
  await feed.over(1)
  assert.deepEqual(await mailsTo('dan@feed.example'), [['post 2']])
  // A look whose time is not that of the feed does nothing, however often it is done again.
  await feed.issue()
  await feed.over(2)
  posts.publish('post 4')
  const requests = posts.requests.length
  const stale = { business_id: feed.businessId, feed_id: feed.id, at: new Date(0).toISOString() }
  await testbed.db.tx((tx) =>
    enqueue(tx, [{ kind: lookJob, businessId: feed.businessId, payload: stale }], new Date()),
  )
  assert.equal((await feed.issue()).outcome, 'items')
  assert.equal(posts.requests.length, requests + 1)
  await feed.over(3)
  // What is cancelled does not come with a later mail, which nobody has to see.
  posts.posts.unshift({ id: 'post 5', url: 'https://phish.example' })
  await feed.issue()
  const cancelled = await eventually(latest, (one) => one?.status === 'awaiting_approval')
  await feed.person.get('campaign.cancel', { campaign_id: cancelled?.campaign_id ?? '' })
  await eventually(latest, (one) => one?.status === 'cancelled')
  posts.publish('post 6')
  assert.equal((await feed.issue()).outcome, 'items')
  await feed.over(5)
  assert.deepEqual(await mailsTo('dan@feed.example'), [
    ['post 6'],
    ['post 4'],
    ['post 3'],
    ['post 2'],
  ])
})

test('a feed that is broken three times is told to its owners, and goes on when it is back', async () => {
  const posts = await blog()
  posts.publish('post 1')
  const feed = await running(posts)
  const { email } = await testbed.db.one<{ email: string }>(sql`
    select u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${feed.businessId} and m.role = 'owner' limit 1
  `)
  await feed.begin()
  posts.status = 404
  for (const failures of [1, 2, 3]) {
    await fallDue(feed.businessId, feed.id)
    const { dueAt } = await eventually(
      () =>
        testbed.db.one<{ n: number; dueAt: Date }>(sql`
          select failures as n, due_at as "dueAt" from feeds
          where business_id = ${feed.businessId} and id = ${feed.id}
        `),
      ({ n }) => n === failures,
    )
    if (failures < 3) assert.ok(dueAt < later(new Date(), minutes(31)), `${dueAt.toISOString()}`)
  }
  const tellsOwners = ({ subject }: { subject: string }) => subject.includes('cannot be read')
  const mails = await eventually(
    () => listInbox(testbed.db, email, 5),
    (found) => found.some(tellsOwners),
  )
  const mail = mails.find(tellsOwners)
  assert.match(mail?.text ?? '', /answers 404/)
  assert.equal((await feed.looked()).problem, 'answers 404')
  posts.status = 200
  posts.publish('post 2')
  const back = await feed.issue()
  assert.deepEqual([back.problem, back.outcome], [null, 'items'])
})

test('after a restore nothing that is in the feed is sent again', async () => {
  const posts = await blog()
  posts.publish('post 1')
  const feed = await running(posts, { begin_with: 1 })
  await feed.subscriber('eve')
  await feed.begin()
  await feed.issue()
  await feed.over(1)
  // Who is not known to have had the first issue may have had it, and what waited may have gone out.
  await feed.subscriber('gil')
  posts.publish('post 2')
  const { checked_at: checkedBefore } = await feed.looked()
  await fallDue(feed.businessId, feed.id, { issueAt: later(new Date(), days(1)) })
  await eventually(feed.looked, ({ checked_at }) => checked_at !== checkedBefore)
  await holdRestoredFeeds(testbed.db, new Date())
  const restoredFeed = await feed.looked()
  assert.deepEqual(
    [restoredFeed.status, restoredFeed.pause_reason, restoredFeed.begin_with],
    ['paused', 'restored', 0],
  )
  await feed.person.get('feed.resume', { feed_id: feed.feed_id })
  await eventually(feed.looked, ({ checked_at }) => checked_at !== restoredFeed.checked_at)
  assert.equal((await feed.issue()).outcome, 'empty')
  posts.publish('post 3')
  await feed.issue()
  await feed.over(2)
  assert.deepEqual(await mailsTo('eve@feed.example'), [['post 3'], ['post 1']])
  assert.deepEqual(await mailsTo('gil@feed.example'), [['post 3']])
})

test('a new version of a blog floods nobody: other ids, old posts, and posts without room', async () => {
  const posts = await blog()
  posts.publish('post 1', 'post 2')
  const feed = await running(posts, { items: { max: 2, take: 'unseen' } })
  await feed.contact({ email: 'flo@feed.example', consent: { email: yes } })
  await feed.begin()
  posts.posts = posts.posts.map(({ id }) => ({ id: `new id of ${id}`, title: id }))
  posts.posts.push({ id: 'post 0', published: '2020-01-01T00:00:00Z' })
  posts.posts.push({
    id: 'post 1 moved',
    title: 'post 1',
    url: 'http://www.blog.example/post%201/',
  })
  assert.equal((await feed.issue()).outcome, 'empty')
  posts.publish('post 3', 'post 4', 'post 5')
  // Two workers that have the same work make one issue.
  const other = `${feed.businessId} again`
  await fallDue(feed.businessId, feed.id, { lanes: [feed.businessId, other] })
  await feed.over(1)
  await feed.issue()
  await feed.over(2)
  assert.deepEqual(await mailsTo('flo@feed.example'), [['post 5'], ['post 4', 'post 3']])
})

test('an address that leads to the service’s own network, and one that is no feed, cannot be started', async () => {
  const scene = await campaignScene(testbed)
  const person = await testbed.appCaller({ businesses: [scene.businessId] })
  const server = await httpServer((request, response) => {
    const answers: Record<string, () => void> = {
      '/inside': () => response.writeHead(302, { location: 'http://10.0.0.1/feed.xml' }).end(),
      '/round': () => response.writeHead(301, { location: '/round' }).end(),
      '/page': () => response.end('<!doctype html><html><body>Blog</body></html>'),
      '/huge': () => response.end(`<rss><channel>${' '.repeat(5 * 1024 * 1024 + 1)}`),
    }
    answers[request.url ?? '']?.()
  })
  open.push(server)
  const { feed_id } = await scene.owner.get<FeedFields>('feed.save', {
    name: 'Blog',
    url: `http://127.0.0.1:${server.port}/inside`,
    every: 'day',
    content,
  })
  const problems: Record<string, RegExp> = {
    inside: /cannot be reached from here/,
    round: /from address to address/,
    page: /web page/,
    huge: /larger than 5 MB/,
  }
  for (const [path, problem] of Object.entries(problems)) {
    const url = `http://127.0.0.1:${server.port}/${path}`
    await scene.owner.get('feed.save', { feed_id, url })
    const { gates } = await person.get<{
      gates: { gate: string; evidence: string; result: string }[]
    }>('feed.preview', { feed_id })
    const gate = gates.find((entry) => entry.gate === 'content')
    assert.equal(gate?.result, 'block', path)
    assert.match(gate?.evidence ?? '', problem)
    const { code, reason } = await scene.refused('feed.start', { feed_id })
    assert.deepEqual([code, reason], ['conflict', 'gates_closed'], path)
  }
})

test('products of a shop go out by mail, and a mapping that is no path is refused', async () => {
  const products = [{ name: 'Green tea', path: 'green', cost: 4.5 }]
  const server = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ products }))
  })
  open.push(server)
  const mapping = {
    items: 'products',
    title: 'name',
    url: 'https://shop.example/{path}',
    price: 'cost',
    currency: 'EUR',
  }
  const posts = Object.assign(await blog(), { url: `http://127.0.0.1:${server.port}/p.json` })
  const feed = await running(posts, { mapping })
  await feed.subscriber('eve')
  await feed.begin()
  products.unshift({ name: 'Black tea', path: 'black', cost: 12 })
  assert.equal((await feed.issue()).outcome, 'items')
  await feed.over(1)
  const [mail] = await listInbox(testbed.db, 'eve@feed.example', 1)
  assert.equal(mail?.subject, 'New: Black tea')
  assert.match(mail?.html ?? '', /€12\.00/)
  assert.match(mail?.text ?? '', /https?:/)
  assert.doesNotMatch(mail?.html ?? '', /Green tea/)
  // Another mapping names the items anew, and nothing of them is news.
  const anew = { ...mapping, url: 'https://shop.example/tea/{path}' }
  await feed.owner.get('feed.save', { feed_id: feed.feed_id, mapping: anew })
  await feed.begin()
  const outcomes = [(await feed.issue()).outcome, (await feed.issue()).outcome]
  assert.deepEqual(outcomes, [null, 'empty'])
  await feed.owner.get('feed.save', { feed_id: feed.feed_id, mapping })
  for (const [changed, field] of [
    [{ title: 'a b' }, 'mapping.title'],
    [{ url: 'https://shop.example/{a/b}' }, 'mapping.url'],
    [{ image: 'a..b' }, 'mapping.image'],
    [{ text: 'a.b.c.d.e.f.g.h.i' }, 'mapping.text'],
  ] as const) {
    const input = { feed_id: feed.feed_id, mapping: { ...mapping, ...changed } }
    assert.equal((await feed.refused('feed.save', input)).field, field)
  }
  const { mapping: shown } = await feed.person.get<FeedFields>('feed.get', {
    feed_id: feed.feed_id,
  })
  assert.deepEqual(shown, mapping)
  await feed.owner.get('feed.save', { feed_id: feed.feed_id, mapping: null })
  assert.equal((await feed.looked()).mapping, null)
})
