import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  joinNewBusiness,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { revokeConnection } from './connections.ts'
import { principalsOf } from './principals.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const connection = (userId: Id<'user'>, scope = 'forms:read') => world.connection({ userId, scope })

async function principal(id: Id<'connection'>) {
  return (await principalsOf(world.db, [id])).get(id)
}

test('a live connection has its user, scopes and businesses with tier and role', async () => {
  const userId = await world.person(2)
  const id = await connection(userId)
  const found = await principal(id)
  assert.ok(found)
  assert.equal(found.userId, userId)
  assert.deepEqual([...found.scopes], ['meta:read', 'forms:read'])
  assert.deepEqual(
    found.businesses.map(({ name, tier, role }) => ({ name, tier, role })),
    [
      { name: 'Business 1', tier: 'growth', role: 'owner' },
      { name: 'Business 2', tier: 'growth', role: 'owner' },
    ],
  )
})

test('many connections are read in one call, each with its own businesses and scopes', async () => {
  const [one, two] = [await world.person(1), await world.person(3)]
  const ids = [await connection(one), await connection(two), await connection(two, 'meta:read')]
  const found = await principalsOf(world.db, [...ids, ...ids, newId('connection')])
  assert.deepEqual([...found.keys()].sort(), [...ids].sort())
  assert.deepEqual(
    ids.map((id) => found.get(id)?.businesses.length),
    [1, 3, 3],
  )
  assert.deepEqual(
    ids.map((id) => found.get(id)?.scopes.size),
    [2, 2, 1],
  )
  assert.equal((await principalsOf(world.db, [])).size, 0)
})

test('a business that the user joined later is out of the connection’s reach', async () => {
  const userId = await world.person(1)
  const id = await connection(userId)
  await joinNewBusiness(world.db, userId, 'Later', world.clock.now())
  assert.equal((await principal(id))?.businesses.length, 1)
  assert.equal((await principal(await connection(userId)))?.businesses.length, 2)
})

test('a lost membership, a changed role and a changed tier take effect at once', async () => {
  const userId = await world.person(2)
  const id = await connection(userId)
  await world.db.run(sql`
    delete from memberships using businesses
    where businesses.id = business_id and user_id = ${userId} and name = 'Business 1'
  `)
  await world.db.run(sql`update memberships set role = 'viewer' where user_id = ${userId}`)
  await world.db.run(sql`
    update businesses set tier = 'free', name = 'Renamed "two", too' from memberships
    where business_id = id and user_id = ${userId}
  `)
  const { businesses } = (await principal(id)) ?? {}
  assert.deepEqual(
    businesses?.map(({ name, tier, role }) => [name, tier, role]),
    [['Renamed "two", too', 'free', 'viewer']],
  )
})

test('a grant of few or of many businesses lists all of them, the oldest first', async () => {
  for (const count of [1, 19, 20, 60]) {
    const userId = await world.person(count)
    const id = await connection(userId)
    // An update moves the changed rows behind the others.
    await world.db.run(sql`
      update memberships set role = 'admin' from businesses
      where businesses.id = business_id and user_id = ${userId} and name = 'Business 1'
    `)
    await world.db.run(sql`
      update businesses set tier = 'free' from memberships
      where id = business_id and user_id = ${userId} and name = 'Business 1'
    `)
    const { businesses } = (await principal(id)) ?? {}
    assert.deepEqual(
      businesses?.map(({ name }) => name),
      Array.from({ length: count }, (_, i) => `Business ${i + 1}`),
    )
    assert.equal(new Set(businesses?.map(({ id }) => id)).size, count)
  }
})

test('a connection whose user has left every business stays alive and reaches no business', async () => {
  const userId = await world.person(1)
  const id = await connection(userId)
  await world.db.run(sql`delete from memberships where user_id = ${userId}`)
  assert.deepEqual((await principal(id))?.businesses, [])
})

test('a revoked connection has no principal', async () => {
  const id = await connection(await world.person())
  await revokeConnection(world.db, { connectionId: id, by: 'operator', now: world.clock.now() })
  assert.equal(await principal(id), undefined)
})
