/** The cost of a save does not grow with the business, nor its statements with the set. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { toSave } from '../../../tests/support/businesses/contacts.ts'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { leaveUncounted, lookedAt } from '../../../tests/support/postgres/looks.ts'
import { sql } from '../lib/db/db.ts'
import type { Sql, Tx } from '../lib/db/types.ts'
import { saveContacts } from './save.ts'

const now = new Date('2026-11-20T10:00:00Z')
const emailOf = (i: number) => `p${i}@example.com`

test('a save reads only its own contacts, even if its query plans are outdated', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  // No statistics exist yet, as in the minute after the first import.
  await leaveUncounted(db, ['contacts'])
  const businessId = await newBusiness(db)
  const save = (people: number[], word: string) =>
    db.tx((tx) => {
      const items = people.map((i) =>
        toSave(businessId, { email: emailOf(i), phone: `+336${i + 10_000_000}`, name: word }),
      )
      return lookedAt(tx, 'contacts', () => saveContacts.save(tx, items, now))
    })
  // More runs than it takes PostgreSQL to keep a generic plan.
  for (let i = 0; i < 300; i++) await save([i], 'early')
  await db.run(sql`
    insert into contacts (business_id, id, email, phone, name, attributes, tags, email_consent,
      sms_consent, source, created_at, updated_at)
    select ${businessId}, gen_random_uuid(), 'p' || n || '@example.com', '+336' || n + 10000000,
      'Many', '{}', '{}', 'none', 'none', 'api', ${now}, ${now}
    from generate_series(1000, 20999) as n
  `)
  const some = Array.from({ length: 64 }, (_, i) => 1000 + i * 300)
  for (const word of ['changed', 'changed']) {
    const looked = await save(some, word)
    assert.ok(looked > 0 && looked < 64 * 5, `${looked} rows were looked at`)
  }
  const looked = await save(
    some.map((i) => i + 100_000),
    'new',
  )
  assert.ok(looked < 64 * 5, `${looked} rows were looked at`)
})

test('adding contacts reads only the suppressions of their own addresses', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  await leaveUncounted(db, ['suppressions'])
  const businessId = await newBusiness(db)
  const add = (from: number, n: number) =>
    db.tx((tx) => {
      const items = Array.from({ length: n }, (_, i) =>
        toSave(businessId, { email: emailOf(from + i), phone: `+336${from + i + 10_000_000}` }),
      )
      return lookedAt(tx, 'suppressions', () => saveContacts.save(tx, items, now))
    })
  // More runs than it takes PostgreSQL to keep a generic plan.
  for (let i = 0; i < 20; i++) await add(i, 1)
  await db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    select ${businessId}, 'email', sha256(n::text::bytea), 'erased', 'a test', ${now}
    from generate_series(1, 3000) as n
  `)
  const looked = await add(1000, 64)
  assert.ok(looked < 64 * 5, `${looked} rows were looked at`)
})

test('a save of any number of contacts takes the same number of statements', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  const businessId = await newBusiness(db)
  let statements: Sql[] = []
  const save = async (from: number, n: number, name: string) => {
    statements = []
    await db.tx(async (tx) => {
      const items = Array.from({ length: n }, (_, i) =>
        toSave(businessId, { email: emailOf(from + i), name }),
      )
      await saveContacts.save(counting(tx), items, now)
    })
    return statements.length
  }
  const counting = (tx: Tx): Tx => {
    const noted = (statement: Sql) => {
      statements.push(statement)
      return statement
    }
    const counted: Tx = {
      ...tx,
      all: (statement) => tx.all(noted(statement)),
      maybe: (statement) => tx.maybe(noted(statement)),
      one: (statement) => tx.one(noted(statement)),
      run: (statement) => tx.run(noted(statement)),
    }
    return { ...counted, pipelined: counted }
  }
  for (const n of [1, 64]) {
    const from = n * 1000
    // Statements: look up, two counts, insert, look up hash lists, announce, queue the fan-out
    // and the words of the search.
    assert.equal(await save(from, n, 'new'), 8)
    // Statements: look up, update, announce, queue two jobs, timeline.
    assert.equal(await save(from, n, 'changed'), 6)
    assert.equal(await save(from, n, 'changed'), 1)
  }
})
