import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noOutcomes } from '../../../tests/support/businesses/outcomes.ts'
import { type MailService, mailService } from '../../../tests/support/mail/mail-service.ts'
import {
  type SmtpSink,
  startSmtpSink,
  withoutSmtpSink,
} from '../../../tests/support/mail/smtp-sink.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { markOf } from '../contacts/suppressions/suppression.ts'
import { type Id, newId, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { hours, later } from '../lib/time/clock.ts'
import { findTemplateVersion } from '../templates/version.ts'
import { insertCampaignMessages } from './campaign-messages.ts'
import {
  cancelMessages,
  holdCampaign,
  releaseCampaign,
  stopCampaign,
  waitingOf,
  warmUpOf,
} from './holds.ts'

const skip = withoutSmtpSink() ?? false

let sink: SmtpSink
let mail: MailService
before(async () => {
  if (skip) return
  sink = await startSmtpSink()
  mail = await mailService(sink.url('?pool=2&rate=40&warmup=no'))
})
after(async () => {
  await mail?.close()
  await sink?.stop()
})

let people = 0

/** Queues messages of a new campaign, each to a contact with consent. */
async function campaignTo(count: number, domain = 'example.com', sender = mail) {
  const { businessId, owner, testbed } = sender
  const { db, service } = testbed
  const words = { name: 'News', subject: 'News for {{ contact.name }}', text: 'News.' }
  const { template_id } = await owner.get<{ template_id: string }>('template.save', words)
  const templateId = parseId('template', template_id) as Id<'template'>
  const version = await findTemplateVersion(db, businessId, templateId)
  assert.ok(version)
  const campaignId = newId('campaign')
  const consent = { email: { status: 'subscribed', source: 'a test' } }
  const emails = Array.from({ length: count }, () => `person-${people++}@${domain}`)
  await owner.get('contact.import', { contacts: emails.map((email) => ({ email, consent })) })
  const contacts = await db.all<{ id: Id<'contact'>; email: string }>(sql`
    select id, email from contacts where email = any(${emails}::text[])
  `)
  const rows = contacts.map(({ id: contactId, email }) => ({
    businessId,
    channel: 'email' as const,
    topic: null,
    campaignId,
    id: newId('message'),
    contactId,
    to: email,
    mark: markOf(service.vault.hmac, businessId, email),
    templateId,
    templateVersionId: version.versionId,
  }))
  return { db, campaign: { businessId, campaignId, channel: 'email' as const }, rows }
}

type OfTest = Awaited<ReturnType<typeof campaignTo>>

const queue = ({ db, rows }: OfTest) =>
  db.tx((tx) => insertCampaignMessages(tx, rows, { origin: undefined, now: new Date() }))

async function statesOf({ db, campaign }: OfTest): Promise<Record<string, number>> {
  const rows = await db.all<{ state: string; n: number }>(sql`
    select state, count(*)::int as n from messages
    where campaign_id = ${campaign.campaignId} group by state order by state
  `)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

test('the messages of a campaign are sent without a content row for each', { skip }, async () => {
  const its = await campaignTo(5)
  await queue(its)
  const states = await eventually(
    () => statesOf(its),
    ({ accepted }) => accepted === 5,
  )
  assert.deepEqual(states, { accepted: 5 })
  const { contents } = await its.db.one<{ contents: number }>(sql`
    select count(*)::int as contents from message_contents
  `)
  assert.equal(contents, 0)
})

test('a batch whose workers died is continued in halves, and no message of it is lost', {
  skip,
}, async () => {
  const its = await campaignTo(120)
  const sizes = async (db: Db = its.db) => {
    const jobs = await db.all<{ size: number }>(sql`
      select json_array_length(payload->'message_ids') as size from jobs
      where kind = 'message.email'
    `)
    return jobs.map(({ size }) => size)
  }
  const whole = await its.db.tx(async (tx) => {
    await insertCampaignMessages(tx, its.rows, { origin: undefined, now: new Date() })
    await tx.run(sql`update jobs set claims = 2 where kind = 'message.email'`)
    return sizes(tx)
  })
  const half = Math.ceil(Math.max(...whole) / 2)
  const areHalves = (now: number[]) => now.length > 0 && Math.max(...now) <= half
  const halves = await eventually(() => sizes(), areHalves)
  assert.ok(areHalves(halves), `${whole.join(' ')} and ${halves.join(' ')}`)
  const states = await eventually(
    () => statesOf(its),
    ({ accepted }) => accepted === 120,
  )
  assert.deepEqual(states, { accepted: 120 })
})

test('a campaign held midway stops at once and continues when it is released', {
  skip,
}, async () => {
  const its = await campaignTo(120)
  await queue(its)
  await eventually(
    () => statesOf(its),
    ({ accepted = 0 }) => accepted > 10,
  )
  await its.db.tx((tx) => holdCampaign(tx, its.campaign, new Date()))
  // Messages already being sent reach their end.
  const { accepted = 0 } = await eventually(
    () => statesOf(its),
    ({ attempting }) => !attempting,
  )
  assert.ok(accepted < 120)
  await sleep(1_500)
  assert.deepEqual(await statesOf(its), { accepted, queued: 120 - accepted })
  await its.db.tx((tx) => releaseCampaign(tx, its.campaign, new Date()))
  const states = await eventually(
    () => statesOf(its),
    (now) => now['accepted'] === 120,
  )
  assert.deepEqual(states, { accepted: 120 })
  // The job ends shortly after its messages.
  await eventually(
    () => waitingOf(its.db, its.campaign, new Date()),
    ({ jobs }) => jobs === 0,
  )
})

test('a campaign can be held before it has any message', { skip }, async () => {
  const its = await campaignTo(3)
  await its.db.tx((tx) => holdCampaign(tx, its.campaign, new Date()))
  await queue(its)
  await sleep(1_000)
  assert.deepEqual(await statesOf(its), { queued: 3 })
  const waiting = await waitingOf(its.db, its.campaign, new Date())
  assert.ok(waiting.jobs > 0)
  await its.db.tx((tx) => releaseCampaign(tx, its.campaign, new Date()))
  await eventually(
    () => statesOf(its),
    ({ accepted }) => accepted === 3,
  )
})

test('a cancelled message is never sent, even if its campaign is released', { skip }, async () => {
  const its = await campaignTo(6)
  await its.db.tx((tx) => holdCampaign(tx, its.campaign, new Date()))
  await queue(its)
  const [first] = its.rows
  assert.ok(first)
  const { businessId } = its.campaign
  await its.db.tx(async (tx) => {
    await stopCampaign(tx, its.campaign, new Date())
    await cancelMessages(tx, noOutcomes, { businessId, ids: [first.id] }, new Date())
    await releaseCampaign(tx, its.campaign, new Date())
  })
  const states = await eventually(
    () => statesOf(its),
    ({ cancelled }) => cancelled === 6,
  )
  assert.deepEqual(states, { cancelled: 6 })
  const { sent } = await its.db.one<{ sent: number }>(sql`
    select count(*)::int as sent from contact_activity
    where business_id = ${businessId} and campaign_id = ${its.campaign.campaignId}
      and type = 'message.sent'
  `)
  assert.equal(sent, 0, 'nobody is taken for somebody who got it')
})

test('messages waiting for one paused provider do not count as dispatched ahead', {
  skip,
}, async () => {
  const first = await campaignTo(1)
  await queue(first)
  await eventually(
    () => statesOf(first),
    ({ accepted }) => accepted === 1,
  )
  const paused = 'paused.example'
  await first.db.run(sql`
    insert into send_throttles (route, domain, kind, provider, tokens, filled_at, in_flight,
      first_day, day, sent_that_day, paused_until)
    select route, domain, kind, ${paused}, tokens, filled_at, in_flight, first_day, day, 0,
      ${later(new Date(), hours(1))}
    from send_throttles where kind = 'marketing' and provider = 'example.com'
  `)
  const its = await campaignTo(3, paused)
  await queue(its)
  const waiting = () => waitingOf(its.db, its.campaign, new Date())
  assert.equal((await eventually(waiting, ({ jobs }) => jobs === 0, 10_000)).jobs, 0)
  assert.deepEqual(await statesOf(its), { queued: 3 })
})

test('a campaign whose domain has had its mail of today waits for the next day of its warm-up', {
  skip,
}, async (t) => {
  const warmed = await mailService(sink.url('?pool=2'))
  t.after(() => warmed.close())
  const first = await campaignTo(2, 'example.com', warmed)
  await queue(first)
  const states = await eventually(
    () => statesOf(first),
    ({ accepted }) => accepted === 2,
  )
  assert.deepEqual(states, { accepted: 2 })
  const waitsOf = ({ db, campaign }: OfTest) => warmUpOf(db, campaign, new Date())
  assert.equal(await waitsOf(first), undefined)
  await first.db.run(sql`
    update send_throttles set sent_that_day = 100000
    where kind = 'marketing' and provider = 'example.com'
  `)
  // What a worker was granted ahead is given back within a second.
  await sleep(1_500)
  const its = await campaignTo(3, 'example.com', warmed)
  await queue(its)
  const until = await eventually(
    () => waitsOf(its),
    (at) => at !== undefined,
  )
  assert.equal(until?.toISOString().slice(10), 'T00:00:00.000Z')
  assert.deepEqual(await statesOf(its), { queued: 3 })
  assert.equal(await waitsOf(first), undefined, 'the one that was sent waits for nothing')
})
