import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { sql } from '../../lib/db/db.ts'
import { days, seconds } from '../../lib/time/clock.ts'

let database: TestDatabase
let tolerant: World
let strict: World
before(async () => {
  database = await testDatabase()
  tolerant = authorizationWorld(database.db)
  strict = authorizationWorld(database.db, { config: { endOnReuse: true } })
})
after(() => database.drop())

interface Noted {
  reuses: number
  at: Date | null
  by: string | null
}

function noted(clientId: string): Promise<Noted> {
  return database.db.one<Noted>(sql`
    select late_reuses as reuses, last_late_reuse_at as at, revoked_by as by
    from connections where client_id = ${clientId}
  `)
}

/** A connection whose first refresh token has just been rotated. */
async function rotated(world: World) {
  const tokens = await world.connect()
  const { body } = await world.refresh(tokens.client_id, tokens.refresh_token)
  return { id: tokens.client_id, old: tokens.refresh_token, current: String(body['refresh_token']) }
}

test('reuse within a minute of the rotation counts as a race and is not recorded', async () => {
  for (const world of [tolerant, strict]) {
    const { id, old, current } = await rotated(world)
    world.clock.forward(seconds(60))
    assert.equal((await world.refresh(id, old)).body['error'], 'invalid_grant')
    assert.deepEqual(await noted(id), { reuses: 0, at: null, by: null })
    assert.equal((await world.refresh(id, current)).status, 200)
  }
})

test('later reuse is recorded on the connection, which stays alive', async () => {
  const { id, old, current } = await rotated(tolerant)
  tolerant.clock.forward(seconds(60) + 1)
  await tolerant.refresh(id, old)
  tolerant.clock.forward(days(1))
  const last = tolerant.clock.now()
  assert.equal((await tolerant.refresh(id, old)).body['error'], 'invalid_grant')
  assert.deepEqual(await noted(id), { reuses: 2, at: last, by: null })
  assert.equal((await tolerant.refresh(id, current)).status, 200)
})

test('where the setting says so, late reuse revokes the connection', async () => {
  const { id, old, current } = await rotated(strict)
  strict.clock.forward(seconds(60) + 1)
  const answer = await strict.refresh(id, old)
  assert.equal(answer.status, 400)
  assert.equal(answer.body['error'], 'invalid_grant')
  assert.deepEqual(await noted(id), { reuses: 1, at: strict.clock.now(), by: 'late_reuse' })
  assert.equal((await strict.refresh(id, current)).body['error'], 'invalid_grant')
})

test('another client cannot record reuse or end a connection with an old token', async () => {
  const { id, old, current } = await rotated(strict)
  strict.clock.forward(days(1))
  const other = await strict.client('http://localhost/cb')
  await strict.refresh(other, old)
  assert.equal((await noted(id)).reuses, 0)
  assert.equal((await strict.refresh(id, current)).status, 200)
})
