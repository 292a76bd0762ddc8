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
import { enqueue } from '../lib/jobs/enqueue.ts'
import { days, later } from '../lib/time/clock.ts'
import { type FeedFields, lookJob } from './feed.ts'

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
  host?: string
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
      const items = state.posts.map(({ id, title = id, host = 'blog.example', published }) => ({
        id,
        title,
        url: `https://${host}/${encodeURIComponent(title)}`,
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
  return { ...scene, person, feed_id, id, looked, begin, issue, over }
}

async function fallDue(businessId: Id<'business'>, feedId: Id<'feed'>): Promise<void> {
  const now = new Date()
  await testbed.db.tx(async (tx) => {
    await tx.run(sql`
      update feeds set due_at = ${now}, issue_at = ${now}
      where business_id = ${businessId} and id = ${feedId}
    `)
    const payload = { business_id: businessId, feed_id: feedId, at: now.toISOString() }
    await enqueue(tx, [{ kind: lookJob, lane: businessId, payload }], now)
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
  const subscribe = async (name: string, daysAgo = 40) => {
    const id = await feed.contact({ email: `${name}@feed.example`, consent: { email: yes } })
    await testbed.db.run(sql`
      update contacts set created_at = ${later(new Date(), -days(daysAgo))}
      where business_id = ${feed.businessId} and id = ${id}
    `)
    return id
  }
  await subscribe('ana')
  const bo = await subscribe('bo')
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
  await subscribe('cy', 0)
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
