import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { citusVariable } from '../../../tests/support/postgres/citus.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { createBusiness } from '../accounts/businesses/create.ts'
import { ensureUser } from '../accounts/sign-in/sign-up.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { type DistributeCommands, distributeCommands } from './distribute.ts'

const isOneServer = process.env[citusVariable] === undefined
let database: TestDatabase
let commands: DistributeCommands
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
  commands = distributeCommands({ db: database.db, clock, connections: 10 })
})
after(() => database.drop())

test('without the extension nothing is changed, and it is said what is missing', {
  skip: !isOneServer,
}, async () => {
  const { ready, missing } = await commands.plan()
  assert.equal(ready, false)
  const subjects = (missing as { subject: string }[]).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['extension'])
  await assert.rejects(
    commands.run({}),
    /Nothing was changed\. extension: .*create extension citus/,
  )
})

test('a number of shards is a whole number from 1 to 256', async () => {
  for (const shards of ['0', '257', '1.5', 'many']) {
    await assert.rejects(commands.run({ shards }), /--shards must be a whole number from 1 to 256/)
  }
})

test('a business is placed by its id, on a node by host and port', async () => {
  await assert.rejects(commands.place('shop', 'db1:5432'), /not the id of a business/)
  const id = formatId('business', '018f0000-0000-7000-8000-000000000001' as Id<'business'>)
  await assert.rejects(commands.place(id, 'db1'), /The node is host:port, not "db1"/)
})

test('on one PostgreSQL no business is placed', { skip: !isOneServer }, async () => {
  const id = formatId('business', '018f0000-0000-7000-8000-000000000001' as Id<'business'>)
  await assert.rejects(commands.place(id, 'db1:5432'), { code: 'conflict' })
})

test('on a cluster all tables are distributed, and a business moves while it is written to', {
  skip: isOneServer,
}, async () => {
  const { db } = database
  assert.deepEqual(await commands.plan(), { ready: true, missing: [], bytes: 0, steps: [] })
  const now = clock.now()
  const businessId = await db.tx(async (tx) => {
    const { user } = await ensureUser(tx, 'owner@shop.example', now)
    return createBusiness(tx, {
      name: 'Shop',
      ownerId: user.id,
      tier: 'scale',
      deployLimit: null,
      now,
    })
  })
  const other = formatId('business', '018f0000-0000-7000-8000-000000000001' as Id<'business'>)
  await assert.rejects(commands.place(other, 'localhost:1'), { code: 'not_found' })
  const own = formatId('business', businessId)
  await assert.rejects(commands.place(own, 'localhost:1'), /no node that takes rows: .+:\d+/)
  const nodes = await db.all<{ node: string }>(
    sql`select nodename || ':' || nodeport as node from pg_dist_node where groupid > 0 order by 1`,
  )
  for (const { node } of nodes) {
    const { shards } = await commands.place(formatId('business', businessId), node)
    assert.ok(Number(shards) > 80, String(shards))
  }
})
