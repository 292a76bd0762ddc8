/** A page of the feed reads only its own events, even without table statistics yet. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { count, leaveUncounted, lookedAt } from '../../../tests/support/postgres/looks.ts'
import { type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import { selectBodies } from './bodies.ts'
import { eventsBetween } from './changes.ts'

const many = 20_000
const few = 40
const now = new Date('2026-11-20T10:00:00Z')
// This database has only the default partition.
const tables = ['events_default', 'event_feed_default']

async function fill(db: Database, businessId: Id<'business'>): Promise<Id<'event'>[]> {
  const ids = Array.from({ length: many }, () => newId('event'))
  await db.run(sql`
    with new (id, place) as (select * from unnest(${ids}::uuid[]) with ordinality),
    placed as (
      insert into event_feed (business_id, position, placed_at, event_id, type, created_at)
      select ${businessId}, place, ${now}, id, 'contact.created', ${now} from new
    )
    insert into events (business_id, id, type, body, created_at)
    select ${businessId}, id, 'contact.created', '{}', ${now} from new
  `)
  return ids
}

test('the events of a page and of deliveries are read by their keys', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  await leaveUncounted(db, tables)
  await fill(db, newId('business'))
  await count(db, tables)
  const businessId = newId('business')
  const ids = await fill(db, businessId)
  const range = { businessId, upTo: many, types: ['contact.created' as const], limit: few }
  // Covers the first runs of a statement, and the runs with the generic plan that is kept then.
  for (let run = 0; run < 12; run++) {
    await db.tx(async (tx) => {
      const after = { position: many - few, placedAt: now }
      const paged = await lookedAt(tx, 'events', async () => {
        assert.equal((await eventsBetween(tx, { ...range, after })).length, few)
      })
      assert.ok(paged <= few * 2, `${paged} events were looked at for a page`)
      const keys = ids.slice(0, few).map((id) => ({ businessId, id, createdAt: now }))
      const sent = await lookedAt(tx, 'events', async () => {
        assert.equal((await selectBodies(tx, keys)).length, few)
      })
      assert.ok(sent <= few * 2, `${sent} events were looked at for deliveries`)
    })
  }
})
