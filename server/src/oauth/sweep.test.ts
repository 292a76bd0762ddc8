import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  callback,
  tokenPath,
  type World,
} from '../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { withAccessChange } from '../core/access-changes.ts'
import { newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, minutes, seconds } from '../lib/time/clock.ts'
import { sweepOAuth } from './sweep.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const sweep = () => sweepOAuth(world.db, world.clock.now())
const known = async (id: string) =>
  (await world.db.run(sql`select 1 from oauth_clients where id = ${id}`)) === 1

test('expired codes are deleted, used or not, and live codes stay', async () => {
  await sweep()
  const used = await world.code()
  await world.post(tokenPath, used)
  await world.code()
  world.clock.forward(minutes(5) - seconds(1))
  const live = await world.code()
  world.clock.forward(seconds(1))
  assert.equal((await sweep()).codes, 2)
  assert.equal((await world.post(tokenPath, live)).status, 200)
})

test('a rotated-out refresh token stays for 30 days, so that late reuse is still detected', async () => {
  await sweep()
  const tokens = await world.connect()
  let current = tokens.refresh_token
  for (const wait of [20, 9]) {
    world.clock.forward(days(wait))
    await sweep()
    const { body } = await world.refresh(tokens.client_id, current)
    current = String(body['refresh_token'])
  }
  await world.refresh(tokens.client_id, tokens.refresh_token)
  const row = await world.db.one<{ reuses: number }>(sql`
    select late_reuses as reuses from connections where client_id = ${tokens.client_id}
  `)
  assert.equal(row.reuses, 1)
  const kept = () =>
    world.db.run(sql`
    select 1 from refresh_tokens join connections on connections.id = connection_id
    where client_id = ${tokens.client_id}
  `)
  assert.equal(await kept(), 3)
  world.clock.forward(days(1))
  await sweep()
  assert.equal(await kept(), 2)
  assert.equal((await world.refresh(tokens.client_id, current)).status, 200)
})

test('clients without a connection in 30 days are deleted', async () => {
  const idle = await world.client(callback)
  const asking = await world.client(callback)
  const disabled = await world.client(callback)
  await world.db.run(sql`
    update oauth_clients set disabled_at = ${world.clock.now()} where id = ${disabled}
  `)
  const { client_id: connected } = await world.connect()
  world.clock.forward(days(30))
  await sweep()
  assert.equal(await known(idle), true, 'not before 30 days are over')
  world.clock.forward(1)
  const form = await world.code({ clientId: asking })
  assert.equal((await sweep()).clients, 1)
  assert.equal(await known(idle), false)
  assert.equal(await known(connected), true)
  assert.equal(await known(disabled), true)
  assert.equal((await world.post(tokenPath, form)).status, 200)
})

test('a client with a revoked connection is not deleted, because the record names it', async () => {
  const { client_id, refresh_token } = await world.connect()
  await world.post(`${tokenPath}/revoke`, { token: refresh_token })
  world.clock.forward(days(400))
  await sweep()
  assert.equal(await known(client_id), true)
})

test('one sweep deletes more rows than one batch', async () => {
  await sweep()
  const now = world.clock.now()
  await world.db.run(sql`
    insert into authorization_codes (hash, connection_id, user_id, client_id, redirect_uri,
      code_challenge, scopes, business_ids, created_at, expires_at)
    select decode(md5(i::text), 'hex'), gen_random_uuid(), gen_random_uuid(), 'c', 'r', 'x', '{}',
      '{}', ${now}, ${now}
    from generate_series(1, 2500) i
  `)
  assert.equal((await sweep()).codes, 2500)
  assert.equal((await sweep()).codes, 0)
})

test('a locked row is left to the next sweep, and the sweep does not wait', async () => {
  await sweep()
  const held = await world.client(callback)
  const free = await world.client(callback)
  world.clock.forward(days(31))
  await world.db.tx(async (tx) => {
    await tx.run(sql`select 1 from oauth_clients where id = ${held} for key share`)
    await sweep()
  })
  assert.deepEqual([await known(held), await known(free)], [true, false])
  await sweep()
  assert.equal(await known(held), false)
})

test('access change records are deleted after an hour', async () => {
  await sweep()
  const note = (at: Date) =>
    world.db.run(withAccessChange(sql`select ${newId('user')}::uuid as subject`, at))
  await note(world.clock.now())
  world.clock.forward(hours(1))
  await note(world.clock.now())
  assert.equal((await sweep()).accessChanges, 0)
  world.clock.forward(1)
  assert.equal((await sweep()).accessChanges, 1)
})
