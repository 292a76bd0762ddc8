/** What a turn costs: it reads who is due, however many are inside. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { manyContacts } from '../../../tests/support/businesses/campaign-drafts.ts'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { days } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { wakeAt } from './enter.ts'
import { claimDue, perTurn } from './inside.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

/** Rows of entries that the server counted as read. */
async function rowsRead(db: Db): Promise<number> {
  await db.run(sql`select pg_stat_force_next_flush()`)
  const { n } = await db.one<{ n: number }>(sql`
    select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_user_tables
    where relname = 'sequence_entries'
  `)
  return n
}

/** Sequences with so many people inside, of whom the first are due. */
async function crowd(inside: number, due: number) {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, begin, template } = scene
  const mail = await template('A')
  const sequence_id = await begin({
    enter: { on: 'own_event', event: 'go' },
    steps: [{ wait: '1 day' }, mail, { wait: '3 days' }, mail],
  })
  const sequenceId = parseId('sequence', sequence_id)
  assert.ok(sequenceId)
  // A person approved it with a bound, which each turn looks at.
  await db.run(sql`
    update sequences set people_per_day = 100000
    where business_id = ${id} and id = ${sequenceId}
  `)
  await manyContacts(db, id, inside)
  await db.run(sql`
    insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
      step, due_at, sends_next, event, entered_at, stepped_at)
    select ${id}, ${sequenceId}, gen_random_uuid(), id, 1, 'test', 'active', 2,
      ${clock.now()}::timestamptz + case when n > ${due} then interval '9 days' else interval '0' end,
      true, '{}', ${clock.now()}::timestamptz - interval '2 days', ${clock.now()}
    from (
      select id, row_number() over (order by id) as n from contacts where business_id = ${id}
    ) as person
  `)
  await db.run(sql`analyze sequence_entries`)
  return { ...scene, key: { businessId: id, sequenceId } }
}

// Of a few thousand rows the planner rightly reads all.
test('a sweep reads who is due, not who is inside', async () => {
  const due = 30
  const costs: number[] = []
  for (const inside of [20_000, 40_000]) {
    const { db, key, clock, settle } = await crowd(inside, due)
    const before = await rowsRead(db)
    await db.tx((tx) => wakeAt(tx, key, { at: clock.now(), now: clock.now() }))
    await settle()
    costs.push((await rowsRead(db)) - before)
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from messages where business_id = ${key.businessId}
    `)
    assert.equal(n, due)
    clock.forward(days(1))
  }
  const [few = 0, many = 0] = costs
  assert.ok(few > 0 && few <= due * 8, `${few} rows for ${due} people`)
  assert.ok(many <= due * 8, `${many} rows for ${due} people of 40,000`)
})

test('one turn takes no more people than it may, those first who are due longest', async () => {
  const { db, key, clock } = await crowd(perTurn + 50, perTurn + 50)
  await db.run(sql`
    update sequence_entries set due_at = due_at - interval '1 hour'
    where business_id = ${key.businessId} and id = (
      select max(id::text)::uuid from sequence_entries where business_id = ${key.businessId}
    )
  `)
  const people = await db.tx((tx) => claimDue(tx, key, clock.now()))
  assert.equal(people.length, perTurn)
  assert.ok(people[0]?.dueAt && people[0].dueAt < clock.now())
})
