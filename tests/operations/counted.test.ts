/** A running service updates table statistics, even if PostgreSQL's own daemon does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { leaveUncounted } from '../support/postgres/looks.ts'
import { eventually } from '../support/time/eventually.ts'
import { openKillableTestbed } from './support/killable-testbed.ts'

test('the statistics of a quickly growing table are updated within seconds', async (t) => {
  const testbed = await openKillableTestbed()
  t.after(() => testbed.close())
  await leaveUncounted(testbed.db, ['stopped_numbers'])
  await testbed.db.run(sql`
    insert into stopped_numbers (mark, created_at)
    select int4send(n), ${new Date()} from generate_series(1, 5000) as n
  `)
  const counted = () =>
    testbed.db.one<{ n: number }>(sql`
      select reltuples as n from pg_class where oid = 'stopped_numbers'::regclass
    `)
  assert.equal((await eventually(counted, ({ n }) => n > 0, 30_000)).n, 5000)
})
