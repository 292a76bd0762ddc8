import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../../tests/support/processes/service.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { linkHash } from '../campaigns/results/links.ts'
import { listRecipients } from '../campaigns/results/recipients.ts'
import { isRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { findDemo } from '../core/installation/demo.ts'
import { openFiles } from '../files/open.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import { systemClock } from '../lib/time/clock.ts'
import { demoOwner, makeDemo } from './make.ts'
import { wipeDemo } from './wipe.ts'

let service: Service
/** One time for both compared demos, because a campaign's mails may fall on two days. */
const moment = new Date()
before(async () => {
  service = await startService({ idle: true })
})
after(() => service.close())

const make = (config = service.config) => {
  const { db, vault } = service
  return makeDemo({
    config,
    db,
    vault,
    clock: { ...systemClock, now: () => moment },
    log: silentLog,
  })
}

/** The number of rows of each table, except lanes, which a sweep of the queue removes. */
async function rowsOf(db: Database): Promise<Record<string, number>> {
  const tables = await db.all<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relname not in ('lanes', 'attempt_windows', 'request_seconds', 'access_changes',
        'nodes', 'node_work')
  `)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const text = `select count(*)::int as count from ${name}`
    counts[name] = (await db.one<{ count: number }>({ name: '', text, values: [] })).count
  }
  return counts
}

/** The visible content of the demo, without ids and times. */
async function lookAt(db: Database) {
  const [contacts, campaigns, counts, recipients, usage, attempts, forms, segments] =
    await Promise.all([
      db.all(sql`
        select b.name as business, c.email, c.name, c.attributes, c.tags, c.email_consent
        from contacts c join businesses b on b.id = c.business_id order by 1, 2
      `),
      db.all(sql`select name, state, recipients, channel from campaigns order by name`),
      db.all(sql`
        select c.name, k.metric, k.amount from campaign_counts k
        join campaigns c on c.id = k.campaign_id order by 1, 2
      `),
      db.all(sql`
        select c.name, r.state, r.marks, count(*)::int from campaign_recipients r
        join campaigns c on c.id = r.campaign_id group by 1, 2, 3 order by 1, 2, 3
      `),
      db.all(sql`
        select b.name, metric, ${moment}::date - day as ago, amount from usage_days u
        join businesses b on b.id = u.business_id order by 1, 2, 3
      `),
      db.all(sql`
        select w.url, a.outcome, a.status, count(*)::int from webhook_attempts a
        join webhooks w on w.id = a.webhook_id group by 1, 2, 3 order by 1, 2, 3
      `),
      db.all(sql`select name, status, submission_count from forms order by name`),
      db.all(sql`select name, filter from segments order by name`),
    ])
  return { contacts, campaigns, counts, recipients, usage, attempts, forms, segments }
}

test('the demo data is always the same except for its dates, and wiping it leaves no rows', async () => {
  const { db } = service
  const empty = await rowsOf(db)
  assert.equal(await make(), undefined)
  const first = await lookAt(db)
  const full = await rowsOf(db)
  assert.equal(first.contacts.length, 10_000)
  assert.ok(isRefusal(await make()), 'a second demo beside the first')
  assert.ok((await wipeDemo(db, openFiles(service.config))) as number)
  assert.deepEqual(await rowsOf(db), empty)
  assert.ok(
    isRefusal(await wipeDemo(db, openFiles(service.config))),
    'there is nothing left to wipe',
  )
  assert.equal(await make(), undefined)
  assert.deepEqual(await lookAt(db), first)
  assert.deepEqual(await rowsOf(db), full)
})

test('the demo has campaigns in every state, dead letters, a pending domain and 90 days of usage', async () => {
  const { db } = service
  const { campaigns, usage } = await lookAt(db)
  const states = new Set((campaigns as { state: string }[]).map(({ state }) => state))
  assert.deepEqual([...states].sort(), [
    'awaiting_approval',
    'cancelled',
    'completed',
    'deployed',
    'draft',
    'paused',
    'scheduled',
  ])
  assert.equal(
    (usage as { ago: number }[]).reduce((most, { ago }) => Math.max(most, ago), 0),
    90,
  )
  const [dead, pending, open] = await Promise.all([
    db.one<{ count: number }>(sql`select count(*)::int as count from dead_letters`),
    db.one<{ count: number }>(
      sql`select count(*)::int as count from domains where status = 'pending'`,
    ),
    db.one<{ count: number }>(sql`
      select count(*)::int as count from campaign_recipients r
      join campaigns c on c.id = r.campaign_id
      where c.state = 'deployed' and r.state = 'pending'
    `),
  ])
  assert.ok(dead.count > 5, `${dead.count} dead letters`)
  assert.equal(pending.count, 2)
  assert.ok(open.count > 1_000, `${open.count} recipients still to be sent to`)
})

test('the people behind each link of a past campaign of the demo can be listed', async () => {
  const { db } = service
  const [link] = await db.all<{
    business: string
    campaign: string
    url: string
    people: number
  }>(sql`
    select l.business_id as business, l.campaign_id as campaign, l.url, count(*)::int as people
    from campaign_links l join campaign_link_people p on p.business_id = l.business_id
      and p.campaign_id = l.campaign_id and p.url_hash = l.url_hash
    group by 1, 2, 3 order by 4 desc limit 1
  `)
  assert.ok(link && link.people > 100)
  const page = { state: null, marks: 0, link: linkHash(link.url), limit: 1_000 }
  const people = await listRecipients(db, link.business as Id<'business'>, {
    ...page,
    campaignId: link.campaign as Id<'campaign'>,
    before: 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Id<'contact'>,
  })
  assert.equal(people.length, Math.min(link.people, 1_000))
})

test('the demo has a brand with a logo and pictures, and two automations that run', async () => {
  const { db } = service
  const pictures = await db.all<{ name: string }>(sql`select name from images order by name`)
  assert.deepEqual(
    pictures.map(({ name }) => name),
    ['cups.png', 'farm.png', 'logo.png'],
  )
  const running = await db.all<{ name: string }>(sql`
    select name from sequences where status = 'running' order by name
  `)
  assert.deepEqual(
    running.map(({ name }) => name),
    ['Abandoned cart', 'Welcome'],
  )
})

test('the owner of the demo has access to both businesses, and both say that they are a demo', async () => {
  const { db, app } = service
  const demo = await findDemo(db)
  assert.equal(demo?.businesses.length, 2)
  const { id } = await db.one<{ id: string }>(sql`select id from users where email = ${demoOwner}`)
  const call = { userId: id as (typeof demo.users)[number], requestId: 'req_1' }
  const { businesses } = (await app.ask('business.list', {}, call)) as {
    businesses: { business_id: string }[]
  }
  assert.equal(businesses.length, 2)
  for (const { business_id } of businesses) {
    const settings = (await app.ask('business.get', { business_id }, call)) as { demo?: boolean }
    assert.equal(settings.demo, true)
  }
})

test('the demo is refused if a real SMTP or SMS transport is configured', async () => {
  for (const [setting, wanted] of [
    ['SMTP_URL', { smtpUrl: 'smtp://relay.example' }],
    ['SMS_URL', { sms: {} }],
  ] as const) {
    const refused = await make({ ...service.config, ...wanted } as typeof service.config)
    assert.ok(isRefusal(refused))
    assert.match(refused.message, new RegExp(setting))
  }
})
