/**
 * A blog by mail whose service is killed by -9 while its issues are made and sent. In the end each
 * post went to each person once; only the mails about which the service does not know may be missing.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from 'crier-server/config.ts'
import { type Id, parseId } from 'crier-server/core/ids.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { type FeedFields, lookJob } from 'crier-server/feeds/feed.ts'
import { installationSecret } from 'crier-server/lib/crypto/vault.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { enqueue } from 'crier-server/lib/jobs/job.ts'
import { type Testbed, testbedAt } from '../../../operations/support/testbed.ts'
import { manyContacts } from '../../../support/businesses/campaign-drafts.ts'
import { endLeases } from '../../../support/jobs/end-leases.ts'
import { startSmtpSink } from '../../../support/mail/smtp-sink.ts'
import { freePort } from '../../../support/network/port.ts'
import { httpServer } from '../../../support/network/remote-server.ts'
import { until } from '../../../support/time/eventually.ts'
import { migratedDataDir } from '../data-dir.ts'
import { seededRandom } from '../random.ts'
import { startService } from '../service-process.ts'

export interface FeedLoopOptions {
  people: number
  kills: number
  seed: number
}

export interface FeedReport {
  /** With the one that was there at the start. */
  posts: number
  issues: number
  /** Issues that were not over when the service was killed. */
  interrupted: number
  mails: number
  /** Recipients about whose mail the service does not know whether it arrived. */
  unknown: number
  /** Posts that a person got a second time, and posts that a person never got. */
  twice: number
  missing: number
}

const perRound = 2
const goesOnWithin = 120_000

export async function feedLoop({ people, kills, seed }: FeedLoopOptions): Promise<FeedReport> {
  const random = seededRandom(seed)
  const sink = await startSmtpSink({ keep: true })
  const blog = await startBlog()
  const dataDir = await migratedDataDir()
  const env = {
    SMTP_URL: sink.url('?pool=4&warmup=no&rate=60'),
    SENDER_GATE: 'off',
    MAIL_FROM: 'hello@shop.example',
    CANARY_SECONDS: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8:*',
  }
  const start = (port: number) => startService({ dataDir: dataDir.path, port, env })
  let service = await start(await freePort())
  const db = await dataDir.open()
  try {
    const config = readConfig({ PORT: String(service.port), DATA_DIR: dataDir.path })
    const vault = await openVault(db, installationSecret(dataDir.path), new Date())
    const endpoint = `${service.origin}/api/functions/svc-mcp`
    const testbed = testbedAt({ db, vault, config, endpoint })
    // One that is there at the start goes out to nobody, and its host is approved.
    blog.publish(1)
    const feed = await beginFeed(testbed, { url: blog.url, people })
    const report = { posts: 1, issues: 0, interrupted: 0 }
    for (let kill = 1; kill <= kills; kill++) {
      report.posts += perRound
      blog.publish(report.posts)
      await fallDue(db, feed)
      // From before the feed was read to the middle of the mails.
      await sleep(random.whole(10, 1_500))
      await service.kill()
      await endLeases(db)
      if (!(await isOver(db, feed, report.posts))) report.interrupted++
      service = await start(service.port)
      await until(() => isOver(db, feed, report.posts), 'the issue is over', goesOnWithin)
    }
    const { issues, unknown } = await db.one<{ issues: number; unknown: number }>(sql`
      select (select count(*)::int from feed_issues where feed_id = ${feed.id}) as issues,
        (select count(*)::int from campaign_recipients where state = 'unknown') as unknown
    `)
    return {
      ...report,
      issues,
      unknown,
      ...accountFor(await sink.messages(), people, report.posts),
    }
  } finally {
    await db.end()
    await service.stop()
    await Promise.all([sink.stop(), blog.close()])
    await dataDir.remove()
  }
}

/** A blog with posts 1 to the last, newest first. */
async function startBlog() {
  let last = 0
  const server = await httpServer((_request, response) => {
    const items = Array.from({ length: last }, (_, n) => ({
      id: `post-${last - n}`,
      title: `post-${last - n}-`,
      url: `https://blog.example/${last - n}`,
    }))
    response.writeHead(200, { 'content-type': 'application/feed+json' })
    response.end(JSON.stringify({ title: 'Blog', items }))
  })
  return {
    url: `http://127.0.0.1:${server.port}/feed.json`,
    publish(upTo: number) {
      last = upTo
    },
    close: () => server.close(),
  }
}

interface FeedPlace {
  businessId: Id<'business'>
  id: Id<'feed'>
}

async function beginFeed(
  testbed: Testbed,
  { url, people }: { url: string; people: number },
): Promise<FeedPlace> {
  const { db } = testbed
  const businessId = await testbed.newBusiness('scale')
  await db.run(sql`
    update businesses set postal_address = '1 Example Street' where id = ${businessId}
  `)
  await manyContacts(db, businessId, people)
  await db.run(sql`
    update contacts set created_at = now() - interval '40 days' where business_id = ${businessId}
  `)
  const person = await testbed.appCaller({ businesses: [businessId] })
  const { feed_id } = await person.get<FeedFields>('feed.save', {
    name: 'Blog',
    url,
    every: 'week',
    content: { subject: 'News', blocks: [{ type: 'feed' }] },
    items: { max: 20, take: 'unseen' },
  })
  const id = parseId('feed', feed_id)
  assert.ok(id)
  await person.get('feed.start', { feed_id })
  await until(async () => {
    const { checked_at } = await person.get<FeedFields>('feed.get', { feed_id })
    return checked_at !== null
  }, 'the first look')
  return { businessId, id }
}

async function fallDue(db: Database, { businessId, id }: FeedPlace): Promise<void> {
  const now = new Date()
  await db.tx(async (tx) => {
    await tx.run(sql`
      update feeds set due_at = ${now}, issue_at = ${now}
      where business_id = ${businessId} and id = ${id}
    `)
    const payload = { business_id: businessId, feed_id: id, at: now.toISOString() }
    await enqueue(tx, [{ kind: lookJob, businessId, payload }], now)
  })
}

/** Whether all posts are in issues that were sent to the end. */
async function isOver(db: Database, { businessId, id }: FeedPlace, posts: number) {
  const { had, open } = await db.one<{ had: number; open: number }>(sql`
    select (
      select count(*)::int from feed_items
      where business_id = ${businessId} and feed_id = ${id} and issue is not null
    ) as had, (
      select count(*)::int from feed_issues i
      join campaigns c on c.business_id = i.business_id and c.id = i.campaign_id
      where i.business_id = ${businessId} and i.feed_id = ${id} and c.state <> 'completed'
    ) as open
  `)
  return had === posts && open === 0
}

function accountFor(mails: readonly string[], people: number, posts: number) {
  const got = new Map<string, number>()
  for (const mail of mails) {
    const to = /^To: .*?([^\s<]+@example\.com)/m.exec(mail)?.[1] ?? ''
    const words = mail.replaceAll(/=\r?\n/g, '')
    const items = new Set(Array.from(words.matchAll(/post-(\d+)-/g), ([, n]) => n))
    for (const item of items) got.set(`${to} ${item}`, (got.get(`${to} ${item}`) ?? 0) + 1)
  }
  return {
    mails: mails.length,
    twice: [...got.values()].filter((times) => times > 1).length,
    missing: people * (posts - 1) - got.size,
  }
}
