import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { type Id, newId } from '../../core/ids.ts'
import { createLog } from '../../lib/process/log.ts'
import { days, seconds } from '../../lib/time/clock.ts'
import { listConnections } from './connections.ts'
import { callsKept, callsOf, createRecentCalls, forgetCalls } from './recent-use.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const recentCalls = () =>
  createRecentCalls({ db: world.db, clock: world.clock, log: createLog('silent') })

async function connected(): Promise<Id<'connection'>> {
  const userId = await world.person()
  await world.connect({ userId })
  const now = world.clock.now()
  const [connection] = await listConnections(world.db, userId, { before: null, limit: 10, now })
  return connection?.id as Id<'connection'>
}

const call = (n: number) => ({ operation: 'contact.list', outcome: 'ok', request_id: `req_${n}` })
const shown = async (id: Id<'connection'>) =>
  (await callsOf(world.db, id, world.clock.now())).map(({ request_id }) => request_id)

test('the newest twenty calls of a connection are kept, over flushes of several nodes', async () => {
  const id = await connected()
  const [one, other] = [recentCalls(), recentCalls()]
  for (let n = 0; n < callsKept + 5; n++) {
    world.clock.forward(seconds(1))
    for (const node of n % 2 ? [one] : [other]) node.ended(id, call(n))
  }
  await one.stop()
  await other.stop()
  const newest = Array.from({ length: callsKept }, (_, i) => `req_${callsKept + 4 - i}`)
  assert.deepEqual(await shown(id), newest)
  const again = recentCalls()
  again.ended(id, { operation: 'email.send', outcome: 'rate_limited', request_id: 'req_last' })
  await again.stop()
  assert.deepEqual(await shown(id), ['req_last', ...newest.slice(0, -1)])
  const [last] = await callsOf(world.db, id, world.clock.now())
  const at = world.clock.now().toISOString()
  const request_id = 'req_last'
  assert.deepEqual(last, { operation: 'email.send', outcome: 'rate_limited', at, request_id })
})

test('calls are written even if one of their connections is gone', async () => {
  const id = await connected()
  const calls = recentCalls()
  calls.ended(newId('connection'), call(1))
  calls.ended(id, call(2))
  await calls.stop()
  assert.deepEqual(await shown(id), ['req_2'])
})

test('calls that could not be written are lost, and later ones are not', async () => {
  const id = await connected()
  let isAway = true
  const db: typeof world.db = {
    ...world.db,
    run: (statement) => (isAway ? Promise.reject(new Error('away')) : world.db.run(statement)),
  }
  const calls = createRecentCalls({ db, clock: world.clock, log: createLog('silent') })
  calls.ended(id, call(1))
  await calls.flush()
  isAway = false
  calls.ended(id, call(2))
  await calls.stop()
  assert.deepEqual(await shown(id), ['req_2'])
})

test('calls of a connection that has not been used for 30 days are deleted', async () => {
  const id = await connected()
  const calls = recentCalls()
  calls.ended(id, call(1))
  await calls.stop()
  world.clock.forward(days(30) - 1)
  assert.equal(await forgetCalls(world.db, world.clock.now(), 1000), 0)
  assert.deepEqual(await shown(id), ['req_1'])
  world.clock.forward(1)
  assert.deepEqual(await shown(id), [])
  assert.ok((await forgetCalls(world.db, world.clock.now(), 1000)) >= 1)
})
