import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { sql } from '../../lib/db/db.ts'
import { listSuppressions } from './list.ts'

let database: TestDatabase

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** Numbered contacts, of whom the first few are suppressed on the channel. */
async function audience(people: number, channel: 'email' | 'sms') {
  const { db } = database
  const businessId = await newBusiness(db)
  const isEmail = channel === 'email'
  await db.run(sql`
    insert into contacts (business_id, id, email, phone, attributes, tags, email_consent,
      sms_consent, source, email_mark, phone_mark, created_at, updated_at)
    select ${businessId}, gen_random_uuid(), case when ${isEmail} then n || '@example.com' end,
      case when not ${isEmail} then '+33' || n end, '{}', '{}', 'none', 'none', 'import',
      case when ${isEmail} then sha256(n::text::bytea) end,
      case when not ${isEmail} then sha256(n::text::bytea) end, now(), now()
    from generate_series(1, ${people}::int) n
  `)
  await db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    select ${businessId}, ${channel}, sha256(n::text::bytea), 'manual', 'a test', now()
    from generate_series(1, 200) n
  `)
  return businessId
}

const page = { hashes: null, before: null, limit: 100 }

for (const channel of ['email', 'sms'] as const) {
  test(`a page of suppressions by ${channel} costs the same whatever the size of the audience`, async () => {
    const { db } = database
    const businessId = await audience(20_000, channel)
    const rows = await listSuppressions(db, businessId, page)
    assert.equal(rows.length, 100)
    assert.ok(rows.every(({ address, contactId }) => address !== null && contactId !== null))
    const asked = listSuppressions(
      {
        ...db,
        all: async <T>(statement: { text: string; values: unknown[] }) => {
          const text = `explain (analyze, buffers, format json) ${statement.text}`
          return db.all<T>({ name: '', text, values: statement.values })
        },
      },
      businessId,
      page,
    )
    const [row] = (await asked) as unknown as { 'QUERY PLAN': [{ Plan: Buffers }] }[]
    const plan = row?.['QUERY PLAN'][0].Plan
    const pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    assert.ok(pages > 0 && pages < 2_000, `${pages} pages were read`)
  })
}

interface Buffers {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}
