import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { createLog } from '../../lib/process/log.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import { listConnections } from './connections.ts'
import { createLastUse } from './recent-use.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const list = (userId: Id<'user'>) =>
  listConnections(world.db, userId, { before: null, limit: 10, now: world.clock.now() })

/** A connection, and the last use that its page would show. */
async function connected() {
  const userId = await world.person()
  await world.connect({ userId })
  const [connection] = await list(userId)
  const usedAt = async () => (await list(userId))[0]?.lastUsedAt
  return { id: connection?.id as Id<'connection'>, usedAt }
}

const lastUse = (db: Db) => createLastUse({ db, clock: world.clock, log: createLog('silent') })

test('the first use of a connection is written at once, and later uses once a minute', async (t) => {
  const { id, usedAt } = await connected()
  const uses = lastUse(world.db)
  t.after(() => uses.stop())
  assert.equal(await usedAt(), null)
  const first = world.clock.now()
  uses.used(id)
  await uses.flush()
  assert.deepEqual(await usedAt(), first)

  world.clock.forward(seconds(59))
  uses.used(id)
  await uses.flush()
  assert.deepEqual(await usedAt(), first)

  world.clock.forward(seconds(1))
  await uses.flush()
  uses.used(id)
  await uses.flush()
  assert.deepEqual(await usedAt(), world.clock.now())
})

test('a last use that could not be written is written at the next flush', async () => {
  const { id, usedAt } = await connected()
  let away = true
  const uses = lastUse({
    ...world.db,
    run: (statement) => {
      if (away) throw new Error('away')
      return world.db.run(statement)
    },
  })
  uses.used(id)
  await uses.flush()
  assert.equal(await usedAt(), null)
  away = false
  uses.used(id)
  await uses.stop()
  assert.deepEqual(await usedAt(), world.clock.now())
})

test('the last use is written at shutdown', async () => {
  const { id, usedAt } = await connected()
  const uses = lastUse(world.db)
  world.clock.forward(minutes(2))
  uses.used(id)
  await uses.stop()
  assert.deepEqual(await usedAt(), world.clock.now())
})
