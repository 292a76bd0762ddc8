import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { contactErase } from '../erase.ts'
import { contactGet } from '../get.ts'
import { contactList } from '../list.ts'
import { contactMerge } from '../merge.ts'
import { linkHashOf, recordActivity } from '../timeline/activity.ts'
import { ownEventLimits } from './own-event.ts'
import { campaignRevenue, sequenceRevenue } from './revenue.ts'
import { contactTrack } from './track.ts'

const clock = new ManualClock()
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Scene {
  id: Id<'business'>
  caller: Caller
  people: Id<'contact'>[]
}

async function scene(): Promise<Scene> {
  const id = await newBusiness(database.db)
  const people = [{ email: 'ana@example.com' }, { email: 'bo@example.com', phone: '+33612345678' }]
  const saved = await saveAll(
    database.db,
    people.map((person) => toSave(id, person)),
  )
  const ids = saved.map((entry) => {
    assert.ok(!isRefusal(entry))
    return entry.id
  })
  return { id, caller: callerIn({ db: database.db, clock }, id, { isApiKey: true }), people: ids }
}

interface Tracked {
  tracked: number
  repeated: number
  refused: number
  refusals: { code: string; field: string; message: string; rows: number[] }[]
}

const ana = { email: 'Ana@Example.com' }
const track = (caller: Caller, ...events: object[]) => caller.get<Tracked>(contactTrack, { events })

async function whoDid(caller: Caller, filter: object): Promise<string[]> {
  const { contacts } = await caller.get<{ contacts: { email: string }[] }>(contactList, { filter })
  return contacts.map(({ email }) => email.slice(0, email.indexOf('@'))).sort()
}

test('a tracked event can be used in filters, and appears in the contact’s timeline', async () => {
  const { caller, people } = await scene()
  const [, bo] = people
  assert.ok(bo)
  const counts = await track(
    caller,
    { contact: ana, event: 'order', value: 30, currency: 'EUR', properties: { item: 'mat' } },
    { contact: { phone: '+33 6 12 34 56 78' }, event: 'order', value: 80, currency: 'EUR' },
    { contact: { contact_id: formatId('contact', bo) }, event: 'visit', at: '2026-01-01T00:00Z' },
  )
  assert.deepEqual(counts, { tracked: 3, repeated: 0, refused: 0, refusals: [] })
  assert.deepEqual(await whoDid(caller, { did: 'order', within: '1 day' }), ['ana', 'bo'])
  assert.deepEqual(await whoDid(caller, { did: 'order', sum: 'value', at_least: 50 }), ['bo'])
  assert.deepEqual(await whoDid(caller, { did_not: 'visit' }), ['ana'])
  assert.deepEqual(await whoDid(caller, { did: 'visit', since: '2026-01-02' }), [])
  const { timeline } = await caller.get<{ timeline: { type: string; details: object }[] }>(
    contactGet,
    { contact_id: formatId('contact', people[0] ?? bo) },
  )
  assert.deepEqual(timeline[0], {
    at: clock.now().toISOString(),
    type: 'contact.event',
    details: {
      event: 'order',
      value: 30,
      currency: 'EUR',
      untrusted: { properties: { item: 'mat' } },
    },
  })
})

test('an event with an id is recorded once, however often and concurrently it is sent', async () => {
  const { id, caller } = await scene()
  const order = { contact: ana, event: 'order', id: 'A-1', value: 5 }
  assert.deepEqual(await track(caller, order, order), {
    tracked: 1,
    repeated: 1,
    refused: 0,
    refusals: [],
  })
  const all = await Promise.all(Array.from({ length: 5 }, () => track(caller, order)))
  assert.ok(all.every(({ tracked, repeated }) => tracked === 0 && repeated === 1))
  await track(caller, { ...order, id: undefined }, { ...order, id: undefined })
  const rows = await database.db.all(sql`select from own_events where business_id = ${id}`)
  assert.equal(rows.length, 3)
  // Another business has its own ids.
  const other = await scene()
  assert.equal((await track(other.caller, order)).tracked, 1)
})

test('each new event appears once in the event feed', async () => {
  const { id, caller } = await scene()
  await track(caller, { contact: ana, event: 'order', id: 'A-1', value: 5, currency: 'EUR' })
  await track(caller, { contact: ana, event: 'order', id: 'A-1', value: 5, currency: 'EUR' })
  const events = await database.db.all<{ body: string }>(sql`
    select body from events
    where business_id = ${id} and type = 'contact.event'
  `)
  assert.equal(events.length, 1)
  const { data } = JSON.parse(events[0]?.body ?? '{}')
  assert.deepEqual([data.event, data.event_id, data.value], ['order', 'A-1', 5])
})

test('an invalid event does not prevent the other events of its call from being recorded', async () => {
  const { caller } = await scene()
  const wrong: [event: object, field: string][] = [
    [{ contact: { email: 'nobody@example.com' }, event: 'order' }, 'contact'],
    [{ contact: {}, event: 'order' }, 'contact'],
    [{ contact: { email: 'ana' }, event: 'order' }, 'contact.email'],
    [{ contact: ana, event: 'Placed Order' }, 'event'],
    [{ contact: ana, event: 'opened' }, 'event'],
    [{ contact: ana, event: 'message.opened' }, 'event'],
    [{ contact: ana, event: 'order', at: 'yesterday' }, 'at'],
    [{ contact: ana, event: 'order', at: '9999-12-31T00:00:00Z' }, 'at'],
    [{ contact: ana, event: 'order', at: '2001-01-01T00:00:00Z' }, 'at'],
    [{ contact: ana, event: 'order', currency: 'EUR' }, 'value'],
    [{ contact: ana, event: 'order', value: 1, currency: 'euro' }, 'currency'],
    [{ contact: ana, event: 'order', value: 2e12 }, 'value'],
    [{ contact: ana, event: 'order', properties: { item: null } }, 'properties.item'],
    [{ contact: ana, event: 'order', total: 5 }, 'total'],
  ]
  const good = { contact: ana, event: 'order' }
  const { tracked, refused, refusals } = await track(caller, good, ...wrong.map(([one]) => one))
  assert.deepEqual([tracked, refused], [1, wrong.length])
  const fields = refusals.flatMap(({ field, rows }) => rows.map((row) => [row, field]))
  assert.deepEqual(
    fields.sort(([a], [b]) => Number(a) - Number(b)),
    wrong.map(([, field], n) => [n + 1, field]),
  )
})

test('a track call accepts at most a thousand events', async () => {
  const { caller } = await scene()
  const events = Array.from({ length: ownEventLimits.events }, () => ({
    contact: ana,
    event: 'visit',
  }))
  assert.equal((await track(caller, ...events)).tracked, 1_000)
  const refused = await caller.refused(contactTrack, {
    events: [...events, { contact: ana, event: 'visit' }],
  })
  assert.deepEqual([refused.code, refused.details.field], ['invalid_request', 'events'])
})

test('an event about another business’s contact is refused', async () => {
  const [mine, theirs] = [await scene(), await scene()]
  const contact_id = formatId('contact', theirs.people[0] ?? newId('contact'))
  const { refused } = await track(mine.caller, { contact: { contact_id }, event: 'order' })
  assert.equal(refused, 1)
})

test('a value is attributed to the campaign whose link a person clicked last, within five days', async () => {
  const { id, caller, people } = await scene()
  const [first, second] = [newId('campaign'), newId('campaign')]
  const [contactId] = people
  assert.ok(contactId)
  const click = async (campaignId: Id<'campaign'>, hours: number, machine = false) => {
    const at = new Date(clock.now().getTime() - hours * 3_600_000)
    const subject = { campaignId, machine, linkHash: linkHashOf('https://example.com/') }
    const clicked = { businessId: id, contactId, type: 'message.clicked', details: {}, subject }
    await database.db.tx((tx) => recordActivity(tx, [clicked], at))
  }
  const order = (value: number) => track(caller, { contact: ana, event: 'order', value })
  const orders = async (campaignId: Id<'campaign'>) =>
    (await campaignRevenue(database.db, id, campaignId)).map(({ orders, value }) => [orders, value])
  await click(first, 24 * 6)
  await order(1)
  await click(first, 24 * 4)
  await order(2)
  await click(second, 2)
  await click(first, 1, true)
  await order(4)
  await track(caller, { contact: ana, event: 'visit' })
  assert.deepEqual(await orders(first), [[1, 2]])
  assert.deepEqual(await orders(second), [[1, 4]])
})

test('a value belongs to the automation whose mail a person followed last', async () => {
  const { id, caller, people } = await scene()
  const [campaignId, sequenceId, messageId] = [
    newId('campaign'),
    newId('sequence'),
    newId('message'),
  ]
  const [contactId] = people
  assert.ok(contactId)
  const labels = { sequence_id: formatId('sequence', sequenceId), step: 2 }
  await database.db.run(sql`
    insert into messages (business_id, id, kind, contact_id, recipient, state, attempts, labels,
      due_at, created_at, updated_at)
    select ${id}, ${messageId}, 'marketing', ${contactId}, 'ana@example.com', 'delivered', 1,
      ${JSON.stringify(labels)}::jsonb, now.at, now.at, now.at
    from (select ${clock.now()}::timestamptz as at) now
  `)
  const click = async (subject: object, hours: number) => {
    const at = new Date(clock.now().getTime() - hours * 3_600_000)
    const link = { machine: false, linkHash: linkHashOf('https://example.com/'), ...subject }
    const clicked = { businessId: id, contactId, type: 'message.clicked', details: {} }
    await database.db.tx((tx) => recordActivity(tx, [{ ...clicked, subject: link }], at))
  }
  const order = (value: number) =>
    track(caller, { contact: ana, event: 'order', value, currency: 'EUR' })
  await click({ campaignId }, 4)
  await order(1)
  await click({ messageId }, 2)
  await order(20)
  await order(-5)
  await click({ campaignId }, 1)
  await order(300)
  assert.deepEqual(await sequenceRevenue(database.db, id, sequenceId), [
    { currency: 'EUR', orders: 1, refunds: 1, value: 15 },
  ])
  const [ofCampaign] = await campaignRevenue(database.db, id, campaignId)
  assert.equal(ofCampaign?.value, 301)
})

test('events move with a merge, and are deleted by an erasure', async () => {
  const { id, caller, people } = await scene()
  const [kept, merged] = people.map((person) => formatId('contact', person))
  await track(caller, { contact: { phone: '+33612345678' }, event: 'order', id: 'A-1' })
  const merge = contactMerge({ traces: [] })
  await caller.get(merge, { contact_id: kept, other_contact_id: merged })
  assert.deepEqual(await whoDid(caller, { did: 'order' }), ['ana'])
  await caller.get(contactErase, { contact_id: kept })
  const rows = await database.db.all(sql`select from own_events where business_id = ${id}`)
  assert.deepEqual(rows, [])
})

test('the attribution period of a click is set by the business', async () => {
  const { id, caller, people } = await scene()
  const campaignId = newId('campaign')
  const [contactId] = people
  assert.ok(contactId)
  const days = (n: number) => new Date(clock.now().getTime() - n * 86_400_000)
  const subject = { campaignId, machine: false, linkHash: linkHashOf('https://example.com/') }
  const clicked = { businessId: id, contactId, type: 'message.clicked', details: {}, subject }
  await database.db.tx((tx) => recordActivity(tx, [clicked], days(9)))
  const order = (value: number) => track(caller, { contact: ana, event: 'order', value })
  const orders = async () =>
    (await campaignRevenue(database.db, id, campaignId)).map(({ orders, value }) => [orders, value])
  const set = (value: string) =>
    setBusiness(database.db, id, { key: 'attribution_days', value, now: clock.now() })
  await order(1)
  assert.deepEqual(await orders(), [])
  await set('9')
  await order(2)
  assert.deepEqual(await orders(), [[1, 2]])
  await set('8')
  await order(4)
  assert.deepEqual(await orders(), [[1, 2]], 'what was counted before stays so')
})
