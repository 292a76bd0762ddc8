import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../../lib/db/db.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** Whether nearly all row versions of two bulk updates stayed within their pages (HOT updates). */
async function staysWithin(): Promise<boolean> {
  const { db } = database
  await db.run(sql`truncate campaign_recipients`)
  await db.run(sql`
    insert into campaign_recipients (business_id, campaign_id, contact_id, state, updated_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pending', now()
    from generate_series(1, ${rows})
  `)
  const before = await counted()
  for (const state of ['taken', 'sent']) {
    await db.run(sql`
      update campaign_recipients set state = ${state}, message_id = gen_random_uuid(), updated_at = now()
    `)
  }
  // Each connection reports its counts with a delay of its own.
  const { updated, within } = await eventually(
    counted,
    ({ updated }) => updated === before.updated + 2 * rows,
  )
  return within - before.within > 0.95 * (updated - before.updated)
}

const rows = 2000

function counted() {
  return database.db.one<{ updated: number; within: number }>(sql`
    select n_tup_upd as updated, n_tup_hot_upd as within
    from pg_stat_user_tables where relname = 'campaign_recipients'
  `)
}

test('updates of a recipient stay within its database page and write to no index', async () => {
  // Space is not freed while another transaction, such as an analyze, holds an old snapshot.
  let tries = 0
  while (!(await staysWithin())) assert.ok(++tries < 10, 'recipients leave their pages')
})
