/** An audience and its links are read once, even if the business has no table statistics yet. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { leaveUncounted, lookedAt } from '../../../../tests/support/postgres/looks.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { listLinks } from '../results/links.ts'
import { countAudience, findInAudience } from './audience.ts'

const many = 20_000
const links = 100
const now = new Date('2026-11-20T10:00:00Z')
const tables = ['contacts', 'suppressions', 'campaign_links', 'campaign_link_people']
const ours = newId('business')
const campaignId = newId('campaign')

let database: TestDatabase
let ids: Id<'contact'>[]
before(async () => {
  database = await testDatabase()
  await leaveUncounted(database.db, tables)
  ids = await fill(ours)
})
after(() => database.drop())

/** Fills in contacts, each of them suppressed and with clicks on two links. */
async function fill(businessId: Id<'business'>): Promise<Id<'contact'>[]> {
  const contacts = Array.from({ length: many }, () => newId('contact'))
  await database.db.run(sql`
    with new (id, place) as (select * from unnest(${contacts}::uuid[]) with ordinality),
    listed as (
      insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
      select ${businessId}, 'email', uuid_send(id), 'manual', 'x', ${now} from new
    ), linked as (
      insert into campaign_links (business_id, campaign_id, url_hash, url)
      select ${businessId}, ${campaignId}, int4send(n), 'https://example.com/' || n
      from generate_series(0, ${links - 1}::int) as n
    ), followed as (
      insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
      select ${businessId}, ${campaignId}, int4send(((place + more) % ${links})::int), id, more = 1
      from new, generate_series(0, 1) as more
    )
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent,
      source, email_mark, created_at, updated_at)
    select ${businessId}, id, id || '@example.com', '{}', '{}', 'subscribed', 'none', 'api',
      uuid_send(id), ${now}, ${now}
    from new
  `)
  return contacts
}

const asked = {
  businessId: ours,
  channel: 'email',
  topic: null,
  audience: {},
  quota: null,
  now,
  zone: 'UTC',
} as const

test('counting link clicks reads each person’s click once, not once for each link', async () => {
  await database.db.tx(async (tx) => {
    const looked = await lookedAt(tx, 'campaign_link_people', async () => {
      const counted = await listLinks(tx, ours, { campaignId, limit: 2 })
      const url = (n: number) => `https://example.com/${n}`
      const each = { people: many / links, machines: many / links }
      assert.deepEqual(counted, [
        { url: url(0), ...each },
        { url: url(1), ...each },
      ])
    })
    assert.ok(looked > 0 && looked <= many * 2, `${looked} were looked at`)
  })
})

test('suppressions are read once for a range of contacts, and only one for a single contact', async () => {
  const [first = null, second = null] = ids
  const last = ids[999] ?? null
  await database.db.tx(async (tx) => {
    const inRange = await lookedAt(tx, 'suppressions', async () => {
      const range = { after: first, upTo: last }
      assert.deepEqual(await countAudience(tx, { ...asked, range }), [
        { reason: 'suppressed', language: null, count: 999 },
      ])
    })
    assert.ok(inRange > 0 && inRange <= many * 2, `${inRange} suppressions were looked at`)
    const ofOne = await lookedAt(tx, 'suppressions', async () => {
      const range = { after: first, upTo: second }
      const found = await findInAudience(tx, { ...asked, range })
      assert.deepEqual(found, { reason: 'suppressed', clause: 'everyone' })
    })
    assert.equal(ofOne, 1)
  })
})
