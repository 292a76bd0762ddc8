/** Who cannot be tracked is never taken for silent, whatever is asked, and whatever the business records. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import { compileFilter } from './compile.ts'
import type { Filter } from './filter.ts'
import { readFilter } from './read.ts'

let database: TestDatabase
let businessId: Id<'business'>
const campaign = newId('campaign')
const now = new Date('2026-11-29T12:00:00Z')
const sent = new Date('2026-11-20T12:00:00Z')

/** A thousand people, by what is known of them. Each got the campaign. */
const kinds = ['silent', 'refused', 'prefetched', 'clicked', 'opened'] as const
const each = 200

before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  const { db } = database
  for (const kind of kinds) {
    const ids = Array.from({ length: each }, () => newId('contact'))
    const tracking = kind === 'refused' ? 'unsubscribed' : 'none'
    await db.run(sql`
      insert into contacts (business_id, id, email, email_consent, sms_consent, tracking_consent, attributes,
        tags, topics, source, created_at, updated_at)
      select ${businessId}, id, id || '@example.com', 'subscribed', 'none', ${tracking}, '{}', array[${kind}]::text[],
        '{}', 'api', ${sent}, ${sent}
      from unnest(${ids}::uuid[]) as made (id)
    `)
    const happened = [
      ['message.sent', null],
      ...(kind === 'prefetched' ? [['message.opened', true]] : []),
      ...(kind === 'opened' ? [['message.opened', false]] : []),
      ...(kind === 'clicked' ? [['message.clicked', false]] : []),
    ] as const
    for (const [type, machine] of happened) {
      await db.run(sql`
        insert into contact_activity (business_id, contact_id, id, type, details, campaign_id, channel, machine, created_at)
        select ${businessId}, id, gen_random_uuid(), ${type}, '{}', ${campaign}, 'email', ${machine}, ${sent}
        from unnest(${ids}::uuid[]) as made (id)
      `)
    }
  }
})
after(() => database.drop())

async function kindsOf(filter: Filter): Promise<Record<string, number>> {
  readFilter(filter)
  const where = compileFilter(filter, { businessId, now, zone: 'UTC' })
  const rows = await database.db.all<{ kind: string; people: number }>(
    plannedAnew(sqlWithin`
      select c.tags[1] as kind, count(*)::int as people from contacts c
      where c.business_id = ${businessId} and ${where} group by 1
    `),
  )
  return Object.fromEntries(rows.map(({ kind, people }) => [kind, people]))
}

const campaign_id = formatId('campaign', campaign)

test('a filter of those who did not open has the silent alone', async () => {
  const silences: Filter[] = [
    { did_not: 'message.opened' },
    { did_not: 'message.opened', campaign_id },
    { did_not: 'message.opened', within: '30 days' },
    { did: 'message.opened', at_most: 0 },
    { did: 'message.opened', exactly: 0, campaign_id },
    {
      and: [
        { did: 'message.sent', campaign_id },
        { did_not: 'message.opened', campaign_id },
        { did_not: 'message.clicked', campaign_id },
      ],
    },
  ]
  for (const filter of silences) {
    assert.deepEqual(await kindsOf(filter), { silent: each }, JSON.stringify(filter))
  }
  const rarely = await kindsOf({ did: 'message.opened', at_most: 2 })
  assert.deepEqual(rarely, { silent: each, opened: each })
})

test('a filter of those who did not click has nobody whose clicks are not recorded', async () => {
  const tracked = { silent: each, prefetched: each, opened: each }
  assert.deepEqual(await kindsOf({ did_not: 'message.clicked' }), tracked)
  assert.deepEqual(await kindsOf({ not: { did_not: 'message.clicked' } }), {
    clicked: each,
    refused: each,
  })
})

test('where the business tracks nobody, or those alone who agreed, nobody else is silent', async () => {
  const set = (column: 'tracking' | 'track_opens', value: string) =>
    database.db.run(
      column === 'tracking'
        ? sql`update businesses set tracking = ${value} where id = ${businessId}`
        : sql`update businesses set track_opens = ${value === 'true'} where id = ${businessId}`,
    )
  await set('tracking', 'agreed')
  assert.deepEqual(await kindsOf({ did_not: 'message.opened' }), {})
  await set('tracking', 'nobody')
  assert.deepEqual(await kindsOf({ did_not: 'message.clicked' }), {})
  await set('tracking', 'everyone')
  await set('track_opens', 'false')
  assert.deepEqual(await kindsOf({ did_not: 'message.opened' }), {})
  await set('track_opens', 'true')
})

test('who asks about machines, or about other events, gets the plain absence', async () => {
  const all = Object.fromEntries(kinds.map((kind) => [kind, each]))
  assert.deepEqual(await kindsOf({ did_not: 'message.bounced' }), all)
  const { prefetched: _, opened: __, ...others } = all
  assert.deepEqual(await kindsOf({ did_not: 'message.opened', machines: true }), others)
})
