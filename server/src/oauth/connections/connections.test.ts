import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { days, minutes } from '../../lib/time/clock.ts'
import { listConnections, redirectUriOf, revokeConnection } from './connections.ts'
import { touchConnections } from './recent-use.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const list = (userId: Id<'user'>) =>
  listConnections(world.db, userId, { before: null, limit: 10, now: world.clock.now() })

test('a person’s connections are listed as they were granted, newest first', async () => {
  const userId = await world.person(2)
  const start = world.clock.now()
  await world.connect({ userId, scope: 'messaging:send forms:read' })
  world.clock.forward(minutes(1))
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback'
  await world.connect({ userId, redirectUri, clientId: await world.client(redirectUri) })
  const [newer, older, ...none] = await list(userId)
  assert.equal(none.length, 0)
  assert.equal(newer?.redirectHost, 'claude.ai')
  assert.ok(older)
  const { id, businesses, ...rest } = older
  assert.deepEqual(rest, {
    clientName: 'Test client',
    redirectHost: 'localhost',
    scopes: ['meta:read', 'forms:read', 'messaging:send'],
    withheldScopes: [],
    recipientsPerDay: null,
    transactionalPerDay: 100,
    seesMasked: true,
    takesDataOut: false,
    createdAt: start,
    lastUsedAt: null,
    lateReuses: 0,
    lastLateReuseAt: null,
    codeReuses: 0,
    lastCodeReuseAt: null,
  })
  assert.deepEqual(
    businesses.map((business) => business.name),
    ['Business 1', 'Business 2'],
  )
  assert.equal(await redirectUriOf(world.db, id), 'http://localhost:8123/callback')
})

test('businesses that the person has left are not listed with a connection', async () => {
  const userId = await world.person(2)
  await world.connect({ userId })
  await world.db.run(sql`
    delete from memberships using businesses
    where businesses.id = business_id and user_id = ${userId} and name = 'Business 1'
  `)
  const [connection] = await list(userId)
  assert.deepEqual(
    connection?.businesses.map((business) => business.name),
    ['Business 2'],
  )
})

test('a connection that was revoked or not used for 30 days is not listed', async () => {
  const userId = await world.person()
  await world.connect({ userId })
  await world.connect({ userId })
  const [first] = await list(userId)
  assert.ok(first)
  const now = world.clock.now()
  const revocation = { connectionId: first.id, by: 'user', userId, now } as const
  assert.equal(await revokeConnection(world.db, revocation), true)
  assert.equal(await revokeConnection(world.db, revocation), false)
  assert.equal((await list(userId)).length, 1)
  world.clock.forward(days(30))
  assert.deepEqual(await list(userId), [])
})

test('a person cannot revoke another person’s connection', async () => {
  const [owner, stranger] = [await world.person(), await world.person()]
  await world.connect({ userId: owner })
  const [connection] = await list(owner)
  assert.ok(connection)
  const now = world.clock.now()
  const by = { connectionId: connection.id, by: 'user', now } as const
  assert.equal(await revokeConnection(world.db, { ...by, userId: stranger }), false)
  assert.equal((await list(owner)).length, 1)
  assert.deepEqual(await list(stranger), [])
  assert.equal(await revokeConnection(world.db, { ...by, by: 'operator' }), true)
})

test('the last use of many connections is written in one call and never moves back', async () => {
  const userId = await world.person()
  await world.connect({ userId })
  await world.connect({ userId })
  const [a, b] = (await list(userId)).map((connection) => connection.id)
  assert.ok(a && b)
  const early = world.clock.now()
  const late = new Date(early.getTime() + minutes(5))
  await touchConnections(world.db, [
    { connectionId: a, at: early },
    { connectionId: b, at: early },
    { connectionId: a, at: late },
    { connectionId: a, at: early },
  ])
  await touchConnections(world.db, [{ connectionId: a, at: early }])
  await touchConnections(world.db, [])
  const used = new Map((await list(userId)).map(({ id, lastUsedAt }) => [id, lastUsedAt]))
  assert.deepEqual(used.get(a), late)
  assert.deepEqual(used.get(b), early)
})

test('two nodes that write last use in opposite order do not deadlock', async () => {
  const userId = await world.person()
  for (let i = 0; i < 20; i++) await world.connect({ userId })
  const ids = (await list(userId)).map((connection) => connection.id)
  const base = world.clock.now().getTime()
  const uses = (n: number) => ids.map((connectionId) => ({ connectionId, at: new Date(base + n) }))
  let tries = 0
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      // A transaction that met a deadlock would be retried and counted again.
      world.db.tx((tx) => {
        tries++
        return touchConnections(tx, n % 2 ? uses(n) : uses(n).reverse())
      }),
    ),
  )
  assert.equal(tries, 40)
  const last = new Date(base + 39)
  assert.ok(
    (await list(userId)).every(({ lastUsedAt }) => lastUsedAt?.getTime() === last.getTime()),
  )
})
