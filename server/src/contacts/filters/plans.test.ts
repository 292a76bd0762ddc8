/** What a filter reads of behaviour: only what it asks for, once, whatever other people did. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { lookedAt } from '../../../../tests/support/postgres/looks.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { countMatching } from '../search.ts'
import { compileFilter } from './compile.ts'
import type { Filter } from './filter.ts'

const many = 10_000
const opens = 5
const now = new Date()
const campaignId = newId('campaign')

let database: TestDatabase
let ours: Id<'business'>
let contacts: Id<'contact'>[]
before(async () => {
  database = await testDatabase()
  ours = await newBusiness(database.db)
  contacts = await fill(ours)
  await fill(await newBusiness(database.db))
  await database.db.run(sql`analyze`)
})
after(() => database.drop())

/** Each contact was sent a hundred messages, one by the campaign, opened five, and ordered once. */
async function fill(businessId: Id<'business'>): Promise<Id<'contact'>[]> {
  const ids = Array.from({ length: many }, () => newId('contact'))
  await database.db.run(sql`
    with new (id, place) as (select * from unnest(${ids}::uuid[]) with ordinality),
    did as (
      insert into contact_activity (business_id, contact_id, id, type, details, campaign_id,
        machine, created_at)
      select ${businessId}, id, uuidv7(),
        case when n < ${opens} then 'message.opened' else 'message.sent' end, '{}',
        case when n = ${opens} then ${campaignId}::uuid end, false,
        ${now}::timestamptz - interval '10 days' * n
      from new, generate_series(0, 20) as n
    ), ordered as (
      insert into own_events (business_id, key, id, contact_id, name, happened_at, value,
        properties, created_at)
      select ${businessId}, uuid_send(id), uuidv7(), id, 'order', ${now}, place % 100, '{}', ${now}
      from new
    )
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent,
      source, created_at, updated_at)
    select ${businessId}, id, id || '@example.com', '{}', '{}', 'subscribed', 'none', 'api',
      ${now}, ${now}
    from new
  `)
  return ids
}

interface Bound {
  table: 'contact_activity' | 'own_events'
  /** The most rows that the filter may read. */
  most: number
  people: number
}

async function assertReads(filter: Filter, { table, most, people }: Bound): Promise<void> {
  await database.db.tx(async (tx) => {
    const where = compileFilter(filter, { businessId: ours, now, zone: 'UTC' })
    const looked = await lookedAt(tx, table, async () => {
      assert.equal(await countMatching(tx, ours, { where }), people)
    })
    assert.ok(looked <= most, `${looked} rows of ${table}, at most ${most}`)
  })
}

test('the opens of a window are read by index, whatever else was recorded', async () => {
  const filter = { did: 'message.opened', within: '15 days' }
  await assertReads(filter, { table: 'contact_activity', most: 2 * many, people: many })
})

test('several events of one window are read once', async () => {
  const filter: Filter = {
    or: [
      { did: 'message.opened', within: '15 days' },
      { did: 'message.clicked', within: '15 days' },
      { did: 'form.submitted', within: '15 days' },
    ],
  }
  await assertReads(filter, { table: 'contact_activity', most: 2 * many, people: many })
})

test('the events of a campaign are read without those of other campaigns', async () => {
  const campaign_id = formatId('campaign', campaignId)
  const filter: Filter = {
    and: [
      { did: 'message.sent', campaign_id },
      { did_not: 'message.opened', campaign_id },
    ],
  }
  await assertReads(filter, { table: 'contact_activity', most: many, people: many })
})

test('counts and sums are computed for all contacts together, not one contact at a time', async () => {
  const three: Filter = { did: 'message.opened', at_least: 3, within: '25 days' }
  await assertReads(three, { table: 'contact_activity', most: 3 * many, people: many })
  const worth: Filter = { did: 'order', sum: 'value', at_least: 50 }
  await assertReads(worth, { table: 'own_events', most: 2 * many, people: many / 2 })
})

test('for a range of contacts only their own events are read', async () => {
  const [from, upTo] = [contacts[100], contacts[199]]
  assert.ok(from && upTo)
  await database.db.tx(async (tx) => {
    const filter: Filter = { or: [{ tag: 'none' }, { did: 'message.opened', within: '15 days' }] }
    const compiling = { businessId: ours, now, zone: 'UTC', range: { from, upTo } }
    const where = compileFilter(filter, compiling)
    const looked = await lookedAt(tx, 'contact_activity', async () => {
      const before = contacts[200] ?? null
      assert.equal(await countMatching(tx, ours, { where, before, downTo: from }), 100)
    })
    // At most all events of a hundred contacts.
    assert.ok(looked <= 100 * 21, `${looked} rows`)
  })
})
