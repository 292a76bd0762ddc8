/** Nights that delete history and own events: what goes, and what outlives the rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { monthsBefore, type Retention } from '../accounts/businesses/retention.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { listLinks } from '../campaigns/results/links.ts'
import { campaignWhy } from '../campaigns/why.ts'
import { contactGet } from '../contacts/get.ts'
import { contactMerge } from '../contacts/merge.ts'
import { campaignRevenue, sequenceRevenue } from '../contacts/own-events/revenue.ts'
import { segmentSave } from '../contacts/segments/save.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { formatId, type Id, lowestIdAt, newId, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Job, Verdict } from '../lib/jobs/job.ts'
import { days, later } from '../lib/time/clock.ts'
import { retentionJob } from './job.ts'
import { retentionJobs } from './jobs.ts'
import { retentionPreview } from './preview.ts'

let database: TestDatabase
const clock = new ManualClock()
const sequenceId = newId('sequence')
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const { signal } = new AbortController()
const monthsAgo = (months: number) => monthsBefore(clock.now(), months)

async function runNight(id: Id<'business'>, { historyMonths = null as number | null, size = 500 }) {
  const { db } = database
  const kinds = retentionJobs({ db, clock, hmac: testVault.hmac, historyMonths, batchSize: size })
  await kinds['retention.begin-nights']?.run({} as Job, signal)
  for (let n = 0; n < 200; n++) {
    const verdict = await kinds[retentionJob]?.run({ payload: { business_id: id } } as Job, signal)
    if ((verdict as Verdict).outcome === 'done') return
  }
  assert.fail('the night does not end')
}

interface PersonWithHistory {
  id: Id<'business'>
  contactId: Id<'contact'>
  /** By the age of each in months. */
  campaigns: Map<number, Id<'campaign'>>
}

/** A person who got a campaign 1, 14 and 30 months ago, clicked it and ordered for 10 francs. */
async function withHistory(retention: Retention | undefined): Promise<PersonWithHistory> {
  const { db } = database
  const id = await newBusiness(db)
  if (retention) {
    const value = JSON.stringify(retention)
    await setBusiness(db, id, { key: 'retention', value, now: clock.now() })
  }
  const contactId = lowestIdAt('contact', monthsAgo(31))
  await db.run(sql`
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent,
      topics, source, created_at, updated_at)
    values (${id}, ${contactId}, 'ana@example.com', '{}', '{}', 'subscribed', 'none', '{}', 'api',
      ${monthsAgo(31)}, ${monthsAgo(31)})
  `)
  const campaigns = new Map<number, Id<'campaign'>>()
  for (const age of [1, 14, 30]) {
    campaigns.set(age, await campaignOf({ id, contactId, at: monthsAgo(age) }))
  }
  return { id, contactId, campaigns }
}

async function campaignOf({
  id,
  contactId,
  at,
}: {
  id: Id<'business'>
  contactId: string
  at: Date
}) {
  const { db } = database
  const campaignId = lowestIdAt('campaign', at)
  const messageId = lowestIdAt('message', at)
  await db.run(sql`
    insert into campaigns (business_id, id, name, channel, state, audience, version, written_by,
      zone_mode, created_at, updated_at, completed_at)
    values (${id}, ${campaignId}, 'News', 'email', 'completed', '{}', 1, 'caller', 'business', ${at},
      ${at}, ${at})
  `)
  await db.run(sql`
    insert into campaign_counts (business_id, campaign_id, slot, variant, metric, amount)
    values (${id}, ${campaignId}, 0, 0, 'sent', 1)
  `)
  await db.run(sql`
    insert into campaign_recipients (business_id, campaign_id, contact_id, state, message_id,
      updated_at)
    values (${id}, ${campaignId}, ${contactId}, 'delivered', ${messageId}, ${at})
  `)
  await db.run(sql`
    insert into campaign_links (business_id, campaign_id, url_hash, url)
    values (${id}, ${campaignId}, '\\x01', 'https://shop.example/')
  `)
  await db.run(sql`
    insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
    select ${id}, ${campaignId}, '\\x01', ${contactId}, machine
    from unnest('{true,false}'::boolean[]) machine
  `)
  await db.run(sql`
    insert into messages (business_id, id, kind, contact_id, campaign_id, recipient, state, attempts,
      due_at, created_at, updated_at)
    values (${id}, ${messageId}, 'marketing', ${contactId}, ${campaignId}, 'ana@example.com',
      'delivered', 0, ${at}, ${at}, ${at})
  `)
  await db.run(sql`
    insert into message_contents (business_id, message_id, subject, created_at)
    values (${id}, ${messageId}, 'News', ${at})
  `)
  for (const [n, [type, machine]] of Object.entries([
    ['message.sent', null],
    ['message.opened', true],
    ['message.opened', false],
    ['message.clicked', false],
    ['contact.note', null],
  ] as const)) {
    const moment = later(at, Number(n))
    await db.run(sql`
      insert into contact_activity (business_id, contact_id, id, type, details, campaign_id, machine,
        created_at)
      values (${id}, ${contactId}, ${lowestIdAt('activity', moment)}, ${type}, '{}', ${campaignId},
        ${machine}, ${moment})
    `)
  }
  await db.run(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, value, currency,
      properties, campaign_id, sequence_id, created_at)
    values (${id}, uuid_send(${messageId}), ${lowestIdAt('activity', later(at, 9))}, ${contactId},
      'order', ${at}, 10, 'CHF', '{}', ${campaignId}, ${sequenceId}, ${at})
  `)
  return campaignId
}

function rowsOf(id: Id<'business'>) {
  return database.db.one<Record<string, number>>(sql`
    select (select count(*)::int from messages where business_id = ${id}) as messages,
      (select count(*)::int from message_contents where business_id = ${id}) as bodies,
      (select count(*)::int from campaign_recipients where business_id = ${id}) as recipients,
      (select count(*)::int from campaign_link_people where business_id = ${id}) as "linkPeople",
      (select count(*)::int from contact_activity where business_id = ${id}
        and type <> 'contact.note') as activity,
      (select count(*)::int from contact_activity where business_id = ${id}
        and type = 'contact.note') as notes,
      (select count(*)::int from own_events where business_id = ${id}) as events
  `)
}

const everything = {
  messages: 3,
  bodies: 3,
  recipients: 3,
  linkPeople: 6,
  activity: 12,
  notes: 3,
  events: 3,
}
const ofOneMonth = {
  messages: 1,
  bodies: 1,
  recipients: 1,
  linkPeople: 2,
  activity: 4,
  notes: 3,
  events: 1,
}

interface Shown {
  timeline: { type: string; at: string; details: Record<string, unknown> }[]
}

for (const size of [500, 1]) {
  test(`history and events end, and their sums stay, ${size} rows at a time`, async () => {
    const { id, contactId, campaigns } = await withHistory({ history: 13, events: 13 })
    const other = await withHistory(undefined)
    await runNight(id, { size })
    assert.deepEqual(await rowsOf(id), ofOneMonth)
    assert.deepEqual(await rowsOf(other.id), everything, 'nothing of another business')
    const { db } = database
    for (const [age, campaignId] of campaigns) {
      const [link] = await listLinks(db, id, { campaignId, limit: 10 })
      assert.deepEqual([link?.people, link?.machines], [1, 1], `links after ${age} months`)
      const revenue = await campaignRevenue(db, id, campaignId)
      assert.deepEqual(
        revenue.map(({ currency, orders, value }) => [currency, Number(orders), value]),
        [['CHF', 1, 10]],
      )
    }
    const [earned, ...none] = await sequenceRevenue(db, id, sequenceId)
    assert.deepEqual([earned, none], [{ currency: 'CHF', orders: 3, refunds: 0, value: 30 }, []])
    const caller = callerIn({ db, clock }, id)
    const { timeline } = await caller.get<Shown>(contactGet, {
      contact_id: formatId('contact', contactId),
      limit: 100,
    })
    const [past, creation, ...more] = timeline.slice(-2)
    assert.deepEqual([creation?.type, more], ['contact.created', []])
    assert.equal(past?.type, 'contact.history_deleted')
    assert.equal(past.at.slice(0, 10), monthsAgo(14).toISOString().slice(0, 10))
    assert.deepEqual(past.details, {
      since: monthsAgo(30).toISOString(),
      sent: 2,
      opened: 2,
      clicked: 2,
      own_events: 2,
    })
  })
}

test('who is merged keeps the sums of both', async () => {
  const { id, contactId } = await withHistory({ history: 13, events: 13 })
  await runNight(id, {})
  const { db } = database
  const caller = callerIn({ db, clock }, id, { isApiKey: true })
  const contact = async (email: string) =>
    (await caller.get<{ contact_id: string }>(contactUpsert, { email })).contact_id
  const [second, third] = [await contact('b@example.com'), await contact('c@example.com')]
  const merge = (contact_id: string, other_contact_id: string) =>
    caller.get(contactMerge({ traces: [] }), { contact_id, other_contact_id })
  const past = () =>
    db.all<{ contact: Id<'contact'>; sent: number; since: Date }>(sql`
      select contact_id as contact, sent, first_at as since from contact_past
      where business_id = ${id}
    `)
  const pastOf = (contact_id: string | undefined, at: Date, sent: number) =>
    db.run(sql`
      insert into contact_past (business_id, contact_id, first_at, last_at, sent)
      values (${id}, ${parseId('contact', contact_id ?? '')}, ${at}, ${at}, ${sent})
    `)
  await merge(second, formatId('contact', contactId))
  const keptId = parseId('contact', second)
  assert.deepEqual(await past(), [{ contact: keptId, sent: 2, since: monthsAgo(30) }])
  await pastOf(third, monthsAgo(40), 5)
  await merge(second, third)
  assert.deepEqual(await past(), [{ contact: keptId, sent: 7, since: monthsAgo(40) }])
})

test('who got a campaign is not guessed at once its recipients are deleted', async () => {
  const { id, contactId, campaigns } = await withHistory({ history: 13 })
  await runNight(id, {})
  const caller = callerIn({ db: database.db, clock }, id)
  const ask = (age: number) => ({
    campaign_id: formatId('campaign', campaigns.get(age) as Id<'campaign'>),
    contact_id: formatId('contact', contactId),
  })
  const refusal = await caller.refused(campaignWhy, ask(14))
  assert.deepEqual([refusal.code, refusal.details.field], ['not_found', 'campaign_id'])
  const { recipients } = await caller.get<{ recipients: { status: string }[] }>(campaignWhy, ask(1))
  assert.equal(recipients[0]?.status, 'delivered')
})

test('mails that were proposed and decided on end with history, and waiting ones stay', async () => {
  const { id, contactId } = await withHistory({ history: 13 })
  const { db } = database
  for (const state of ['sent', 'refused', 'waiting']) {
    for (const age of [1, 14]) {
      await db.run(sql`
        insert into proposals (business_id, id, batch_id, contact_id, kind, state, user_id,
          proposed_at)
        values (${id}, gen_random_uuid(), ${id}, ${contactId}, 'marketing', ${state}, ${id},
          ${monthsAgo(age)})
      `)
    }
  }
  await runNight(id, { size: 1 })
  const rows = await db.all<{ state: string; count: number }>(sql`
    select state, count(*)::int from proposals where business_id = ${id} group by 1 order by 1
  `)
  assert.deepEqual(
    rows.map(({ state, count }) => [state, count]),
    [
      ['refused', 1],
      ['sent', 1],
      ['waiting', 2],
    ],
  )
})

test('a filter that asks for what was deleted says from when it can judge', async () => {
  const { id } = await withHistory({ history: 13, events: 6 })
  const caller = callerIn({ db: database.db, clock }, id)
  const warnings = async (filter: object) =>
    (
      await caller.get<{ preview: { warnings: string[] } }>(segmentSave, {
        name: 'Some',
        filter,
        dry_run: true,
      })
    ).preview.warnings.filter((warning) => warning.includes('retention'))
  const ever = { did_not: 'message.opened' }
  assert.deepEqual(await warnings(ever), [], 'nothing was deleted yet')
  await runNight(id, {})
  const since = (months: number) => monthsAgo(months).toISOString().slice(0, 10)
  const words = (months: number) => [
    `What people did before ${since(months)} was deleted by the retention of this business, and is not seen.`,
  ]
  assert.deepEqual(await warnings(ever), words(13))
  assert.deepEqual(await warnings({ not: { did: 'order', within: '7 months' } }), words(6))
  assert.deepEqual(await warnings({ did: 'message.opened', within: '12 months' }), [])
  assert.deepEqual(await warnings({ did: 'order', within: '5 months' }), [])
})

test('an operator’s limit holds for each business, and a business may keep less', async () => {
  const { id } = await withHistory(undefined)
  const shorter = await withHistory({ history: 6, events: 6 })
  const longer = await withHistory({ history: 36 })
  const preview = (business: Id<'business'>) =>
    callerIn({ db: database.db, clock }, business).get<
      Record<'history' | 'events', { months: number; deletes: number }> & { most_months: number }
    >(retentionPreview({ historyMonths: 13 }), {})
  const { history, events, most_months } = await preview(id)
  assert.deepEqual(
    [history, events, most_months],
    [{ months: 13, deletes: 12, more: false }, { months: 13, deletes: 2, more: false }, 13],
  )
  assert.equal((await preview(shorter.id)).history.months, 6)
  assert.equal((await preview(longer.id)).history.months, 13)
  for (const business of [id, shorter.id, longer.id]) {
    await runNight(business, { historyMonths: 13 })
    assert.deepEqual(await rowsOf(business), ofOneMonth)
  }
})

test('a message that is still to be sent stays, and so does a campaign under way', async () => {
  const { id } = await withHistory({ history: 13 })
  const { db } = database
  await db.run(sql`update messages set state = 'scheduled' where business_id = ${id}`)
  await db.run(sql`
    update campaigns set state = 'paused' where business_id = ${id}
  `)
  await runNight(id, { size: 1 })
  const { messages, recipients } = await rowsOf(id)
  assert.deepEqual([messages, recipients], [3, 3])
})

test('a person whose deleted history is recent enough is not silent', async () => {
  const { id } = await withHistory({ history: 6, events: 6, contacts: 24 })
  const { db } = database
  await db.run(sql`delete from messages where business_id = ${id}`)
  await db.run(sql`
    delete from contact_activity
    where business_id = ${id} and (created_at > ${monthsAgo(13)} or type = 'contact.note')
  `)
  await db.run(sql`
    delete from own_events where business_id = ${id} and created_at > ${monthsAgo(13)}
  `)
  const contacts = async () => {
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from contacts where business_id = ${id}
    `)
    return n
  }
  await runNight(id, {})
  assert.deepEqual([(await rowsOf(id))['activity'], await contacts()], [0, 1])
  clock.forward(days(1))
  await runNight(id, {})
  assert.equal(await contacts(), 1, 'what was deleted still counts')
  clock.forward(later(clock.now(), 11 * 31 * 86_400_000).getTime() - clock.now().getTime())
  await runNight(id, {})
  assert.equal(await contacts(), 0, 'after 25 months without a word')
})
