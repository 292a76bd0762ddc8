/** A database fault in the middle of a grant leaves nothing behind. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  authorizationWorld,
  tokenPath,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { openDatabase, sql } from '../../lib/db/db.ts'
import type { Database } from '../../lib/db/types.ts'
import { readParameters } from '../model/parameters.ts'
import type { createOAuth } from '../server.ts'
import { refreshGrant } from './refresh.ts'

let database: TestDatabase
let impatient: Database
let world: World
before(async () => {
  database = await testDatabase()
  impatient = openDatabase({
    connection: { ...database.connection, options: '-c statement_timeout=150ms' },
  })
  world = authorizationWorld(impatient)
})
after(async () => {
  await impatient.end()
  await database.drop()
})

test('a failed insert in the middle of a rotation does not lose the token chain', async () => {
  const tokens = await world.connect()
  await database.db.run(sql`
    alter table refresh_tokens add constraint no_more check (rotated_at is not null) not valid
  `)
  const failed = await world.refresh(tokens.client_id, tokens.refresh_token)
  assert.equal(failed.status, 500)
  assert.equal(failed.body['error'], 'internal')
  assert.doesNotMatch(JSON.stringify(failed.body), /constraint|refresh_tokens/)
  await database.db.run(sql`alter table refresh_tokens drop constraint no_more`)
  assert.equal((await world.refresh(tokens.client_id, tokens.refresh_token)).status, 200)
})

test('a lock that outlasts the statement timeout in a rotation does not lose the token chain', async () => {
  const tokens = await world.connect()
  const other = new pg.Client(database.connection)
  await other.connect()
  // The update of the old row passes, and the insert waits for the lock on its connection.
  await other.query('begin')
  await other.query('select 1 from connections for update')
  const failed = await world.refresh(tokens.client_id, tokens.refresh_token)
  assert.equal(failed.status, 500)
  await other.query('rollback')
  await other.end()
  assert.equal((await world.refresh(tokens.client_id, tokens.refresh_token)).status, 200)
})

test('a failed insert in the middle of a code exchange leaves the code unspent', async () => {
  const form = await world.code()
  await database.db.run(sql`
    alter table refresh_tokens add constraint no_more check (rotated_at is not null) not valid
  `)
  assert.equal((await world.post(tokenPath, form)).status, 500)
  const made = await database.db.run(
    sql`select 1 from connections where client_id = ${form.client_id}`,
  )
  assert.equal(made, 0)
  await database.db.run(sql`alter table refresh_tokens drop constraint no_more`)
  assert.equal((await world.post(tokenPath, form)).status, 200)
})

test('a signing key that cannot be read leaves the refresh token unspent', async () => {
  const tokens = await world.connect()
  const keyless = {
    ...world.oauth,
    accessTokens: {
      ...world.oauth.accessTokens,
      minter: () => Promise.reject(new Error('no key')),
    },
  } satisfies ReturnType<typeof createOAuth>
  const form = readParameters({ ...tokens })
  await assert.rejects(refreshGrant(keyless, form, world.clock.now()), /no key/)
  assert.equal((await world.refresh(tokens.client_id, tokens.refresh_token)).status, 200)
})
