import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  tokenPath,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { sql } from '../../lib/db/db.ts'
import { seconds } from '../../lib/time/clock.ts'

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
    select code_reuses as reuses, last_code_reuse_at as at, revoked_by as by
    from connections where client_id = ${clientId}
  `)
}

/** An exchanged code, and the refresh token that it gave. */
async function spent(world: World) {
  const form = await world.code()
  const { body } = await world.post(tokenPath, form)
  return { form, id: form.client_id, current: String(body['refresh_token']) }
}

test('reuse of a code is recorded on the connection it made, which stays alive', async () => {
  const { form, id, current } = await spent(tolerant)
  assert.deepEqual(await noted(id), { reuses: 0, at: null, by: null })
  const stolen = { ...form, code_verifier: 'w'.repeat(43) }
  for (const again of [form, stolen]) {
    const { status, body } = await tolerant.post(tokenPath, again)
    assert.deepEqual([status, body['error']], [400, 'invalid_grant'])
  }
  tolerant.clock.forward(seconds(90))
  await tolerant.post(tokenPath, form)
  assert.deepEqual(await noted(id), { reuses: 3, at: tolerant.clock.now(), by: null })
  assert.equal((await tolerant.refresh(id, current)).status, 200)
})

test('where the setting says so, code reuse after a minute ends the connection, and earlier reuse does not', async () => {
  const { form, id, current } = await spent(strict)
  strict.clock.forward(seconds(60))
  await strict.post(tokenPath, form)
  assert.deepEqual(await noted(id), { reuses: 1, at: strict.clock.now(), by: null })
  strict.clock.forward(1)
  await strict.post(tokenPath, form)
  assert.deepEqual(await noted(id), { reuses: 2, at: strict.clock.now(), by: 'code_reuse' })
  assert.equal((await strict.refresh(id, current)).body['error'], 'invalid_grant')
})

test('another client, a malformed verifier and an unused code record no reuse', async () => {
  const { form, id } = await spent(strict)
  strict.clock.forward(seconds(90))
  const other = await strict.client(form.redirect_uri)
  const { body } = await strict.post(tokenPath, { ...form, client_id: other })
  assert.equal(body['error'], 'invalid_grant')
  await strict.post(tokenPath, { ...form, code_verifier: 'short' })
  assert.deepEqual(await noted(id), { reuses: 0, at: null, by: null })

  const fresh = await strict.code()
  await strict.post(tokenPath, { ...fresh, code_verifier: 'w'.repeat(43) })
  assert.equal((await strict.post(tokenPath, fresh)).status, 200)
  assert.equal((await noted(fresh.client_id)).reuses, 0)
})
