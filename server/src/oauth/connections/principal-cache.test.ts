import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { addMember, removeMember } from '../../accounts/businesses/memberships.ts'
import { updateSetting } from '../../accounts/businesses/queries.ts'
import type { Id } from '../../core/ids.ts'
import type { Principal, Role } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { seconds } from '../../lib/time/clock.ts'
import { recordLateReuse } from '../token/refresh-queries.ts'
import { revokeConnection } from './connections.ts'
import { createPrincipalReader } from './principals.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const now = () => world.clock.now()

const connection = (userId: Id<'user'>) => world.connection({ userId, scope: 'forms:read' })

/** A database that counts reads of principals, and holds back their results on demand. */
function watched() {
  const seen = { reads: 0, answered: 0, looks: 0, hold: Promise.resolve() }
  const all = async <T>(statement: Sql): Promise<T[]> => {
    const reads = statement.text.includes('from connections')
    if (reads) seen.reads++
    else seen.looks++
    const rows = await world.db.all<T>(statement)
    if (reads) seen.answered++
    if (reads) await seen.hold
    return rows
  }
  return { seen, db: { ...world.db, all } as Db }
}

interface OwnerOfBusiness {
  userId: Id<'user'>
  businessId: Id<'business'>
  connectionId: Id<'connection'>
}

async function newOwner(): Promise<OwnerOfBusiness> {
  const userId = await world.person(1)
  const { id } = await world.db.one<{ id: Id<'business'> }>(sql`
    select business_id as id from memberships where user_id = ${userId}
  `)
  // Another owner stays, so that this one may leave.
  const other = await world.person(0)
  await member(id, other, 'owner')
  return { userId, businessId: id, connectionId: await connection(userId) }
}

const member = (businessId: Id<'business'>, userId: Id<'user'>, role: Role) =>
  world.db.tx((tx) => addMember(tx, businessId, { userId, role, now: now() }))

const setting = ({ businessId }: OwnerOfBusiness, column: 'name' | 'tier', value: string) =>
  world.db.tx((tx) => updateSetting(tx, businessId, { column, value, now: now() }))

const changes: Record<
  string,
  [(at: OwnerOfBusiness) => Promise<unknown>, (is?: Principal) => boolean]
> = {
  'a connection is revoked': [
    ({ connectionId }) => revokeConnection(world.db, { connectionId, by: 'user', now: now() }),
    (is) => is === undefined,
  ],
  'a late reuse ends it': [
    ({ connectionId }) => recordLateReuse(world.db, connectionId, { end: true, now: now() }),
    (is) => is === undefined,
  ],
  'the person gets another role': [
    ({ businessId, userId }) => member(businessId, userId, 'viewer'),
    (is) => is?.businesses[0]?.role === 'viewer',
  ],
  'the person is a member no more': [
    ({ businessId, userId }) =>
      world.db.tx((tx) => removeMember(tx, businessId, { userId, now: now() })),
    (is) => is?.businesses.length === 0,
  ],
  'the business has another name': [
    (at) => setting(at, 'name', 'Renamed'),
    (is) => is?.businesses[0]?.name === 'Renamed',
  ],
  'the business has another tier': [
    (at) => setting(at, 'tier', 'free'),
    (is) => is?.businesses[0]?.tier === 'free',
  ],
}

for (const [name, [change, holds]] of Object.entries(changes)) {
  test(`${name}: every node sees the change at the next call and rereads no other connection`, async () => {
    const at = await newOwner()
    const bystander = await connection(await world.person(1))
    const nodes = [watched(), watched()]
    const readers = nodes.map(({ db }) => createPrincipalReader(db))
    for (const read of readers) {
      assert.equal(holds(await read(at.connectionId)), false)
      await read(bystander)
      await read(at.connectionId)
    }
    assert.deepEqual(
      nodes.map(({ seen }) => seen.reads),
      [2, 2],
    )
    await change(at)
    for (const read of readers) {
      assert.equal(holds(await read(at.connectionId)), true)
      await read(bystander)
    }
    assert.deepEqual(
      nodes.map(({ seen }) => seen.reads),
      [3, 3],
    )
  })
}

test('simultaneous calls share one check for changes', async () => {
  const { connectionId } = await newOwner()
  const { seen, db } = watched()
  const read = createPrincipalReader(db)
  await read(connectionId)
  await Promise.all(Array.from({ length: 64 }, () => read(connectionId)))
  assert.deepEqual([seen.reads, seen.looks], [1, 1])
})

test('a change that arrives during a read is not lost when the read ends', async () => {
  const at = await newOwner()
  const bystander = await connection(await world.person(1))
  const { seen, db } = watched()
  const read = createPrincipalReader(db)
  await read(bystander)
  const held = Promise.withResolvers<void>()
  seen.hold = held.promise
  // The read happens before the change, and its result arrives after another call saw the change.
  const early = read(at.connectionId)
  await until(() => seen.answered === 2, 'the early read has its rows')
  await member(at.businessId, at.userId, 'viewer')
  await read(bystander)
  held.resolve()
  assert.equal((await early)?.businesses[0]?.role, 'owner')
  assert.equal((await read(at.connectionId))?.businesses[0]?.role, 'viewer')
})

test('two changes become visible in the order of their commits', async () => {
  const [one, two] = [await newOwner(), await newOwner()]
  const read = createPrincipalReader(world.db)
  await read(one.connectionId)
  await read(two.connectionId)
  const written = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const first = world.db.tx(async (tx) => {
    await updateSetting(tx, one.businessId, { column: 'name', value: 'First', now: now() })
    written.resolve()
    await commit.promise
  })
  await written.promise
  let secondIsDone = false
  const second = setting(two, 'name', 'Second').then(() => {
    secondIsDone = true
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const met = [secondIsDone, (await read(two.connectionId))?.businesses[0]?.name]
  commit.resolve()
  await Promise.all([first, second])
  // Otherwise the second number would be known before the first, which would never be looked up.
  assert.deepEqual(met, [false, 'Business 1'])
  assert.equal((await read(one.connectionId))?.businesses[0]?.name, 'First')
  assert.equal((await read(two.connectionId))?.businesses[0]?.name, 'Second')
})

test('under continuous changes, no call sees a state older than its own start', async () => {
  const owners = await Promise.all(Array.from({ length: 4 }, newOwner))
  const readers = [createPrincipalReader(world.db), createPrincipalReader(world.db)]
  const committed = new Map(owners.map(({ connectionId }) => [connectionId, 0]))
  const rounds = 60
  let writing = owners.length
  let calls = 0
  const write = async (at: OwnerOfBusiness): Promise<void> => {
    for (let i = 1; i <= rounds; i++) {
      await setting(at, 'name', String(i))
      committed.set(at.connectionId, i)
    }
    writing--
  }
  const call = async (n: number): Promise<void> => {
    for (let i = n; writing > 0; i++) {
      const { connectionId } = owners[i % owners.length] as OwnerOfBusiness
      const atLeast = committed.get(connectionId) ?? 0
      const found = await readers[i % 2]?.(connectionId)
      const met = Number(found?.businesses[0]?.name.replace(/^Business.*/, '0'))
      assert.ok(met >= atLeast, `${met} after ${atLeast} was committed`)
      calls++
    }
  }
  await Promise.all([...owners.map(write), ...Array.from({ length: 7 }, (_, n) => call(n))])
  assert.ok(calls > rounds)
})

test('a manual change in the database takes effect after ten seconds', async () => {
  const { connectionId } = await newOwner()
  let elapsed = 0
  const { seen, db } = watched()
  const read = createPrincipalReader(db, () => elapsed)
  await read(connectionId)
  await world.db.run(sql`update connections set revoked_at = now() where id = ${connectionId}`)
  elapsed = seconds(10) - 1
  assert.ok(await read(connectionId))
  elapsed = seconds(10)
  assert.equal(await read(connectionId), undefined)
  assert.equal(await read(connectionId), undefined)
  assert.equal(seen.reads, 3)
})
