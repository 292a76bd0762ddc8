/** People who have connected an assistant, each a member of one to three businesses. */

import { readConfig } from '../../server/src/config.ts'
import { formatId, type Id, newId } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import type { Scope } from '../../server/src/core/operation.ts'
import { installationSecret, sha256 } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { createKeyRing } from '../../server/src/oauth/keys/key-ring.ts'
import { addressesOf } from '../../server/src/oauth/model/addresses.ts'
import { createAccessTokens } from '../../server/src/oauth/token/access-tokens.ts'
import { sizes } from './sizes.ts'
import type { BenchTestbed } from './testbed.ts'

const callback = 'http://localhost:7777/callback'
export const connectionCount = sizes.connections

export interface Connected {
  id: Id<'connection'>
  userId: Id<'user'>
  businesses: { id: Id<'business'>; name: string }[]
}

export interface Population {
  clientId: string
  connected: Connected[]
}

export async function settle(db: Database, count: number): Promise<Population> {
  const now = new Date()
  const clientId = formatId('client', newId('client'))
  await db.run(sql`
    insert into oauth_clients (id, kind, name, redirect_uris, grant_types, created_at)
    values (${clientId}, 'dynamic', 'Bench', array[${callback}],
      '{authorization_code,refresh_token}', ${now})
  `)
  const connected = Array.from(
    { length: count },
    (_, i): Connected => ({
      id: newId('connection'),
      userId: newId('user'),
      businesses: Array.from({ length: 1 + (i % 3) }, (_, j) => ({
        id: newId('business'),
        name: `Business ${i}-${j}`,
      })),
    }),
  )
  await insertPeople(db, connected, now)
  await insertBusinesses(db, connected, now)
  await insertConnections(db, { clientId, connected }, now)
  await db.run(sql`analyze`)
  return { clientId, connected }
}

function insertPeople(db: Database, connected: Connected[], now: Date): Promise<number> {
  return db.run(sql`
    insert into users (id, email, created_at)
    select id, id || '@example.com', ${now}
    from unnest(${connected.map(({ userId }) => userId)}::uuid[]) as person (id)
  `)
}

async function insertBusinesses(db: Database, connected: Connected[], now: Date): Promise<void> {
  const rows = connected.flatMap(({ userId, businesses }) =>
    businesses.map(({ id, name }) => ({ id, name, userId })),
  )
  const ids = rows.map(({ id }) => id)
  await db.run(sql`
    insert into businesses (id, name, tier, created_at, updated_at)
    select id, name, 'scale', ${now}, ${now}
    from unnest(${ids}::uuid[], ${rows.map(({ name }) => name)}::text[]) as business (id, name)
  `)
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    select business_id, user_id, 'owner', ${now}
    from unnest(${ids}::uuid[], ${rows.map(({ userId }) => userId)}::uuid[])
      as member (business_id, user_id)
  `)
}

function insertConnections(
  db: Database,
  { clientId, connected }: Population,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into connections (id, user_id, client_id, redirect_uri, scopes, business_ids, created_at)
    select id, user_id, ${clientId}, ${callback}, '{meta:read}',
      array(select business_id from memberships m where m.user_id = c.user_id), ${now}
    from unnest(
      ${connected.map(({ id }) => id)}::uuid[],
      ${connected.map(({ userId }) => userId)}::uuid[]
    ) as c (id, user_id)
  `)
}

/** An access token for each connection, signed with the service's own key. */
export async function mintTokens(
  testbed: BenchTestbed,
  population: Population,
  scopes: readonly Scope[] = ['meta:read'],
): Promise<string[]> {
  const config = readConfig({ PORT: String(testbed.service.port), DATA_DIR: testbed.dataDir })
  const ring = createKeyRing(
    testbed.db,
    await openVault(testbed.db, installationSecret(testbed.dataDir), new Date()),
  )
  const accessTokens = createAccessTokens({ ring, addresses: addressesOf(config) })
  const mint = await accessTokens.minter(new Date())
  return Promise.all(
    population.connected.map(({ id, userId }) =>
      mint({
        connectionId: id,
        userId,
        clientId: population.clientId,
        scopes: [...scopes],
      }),
    ),
  )
}

/** A refresh token for each connection. */
export async function issueRefreshTokens(
  db: Database,
  connected: readonly Connected[],
): Promise<string[]> {
  const now = new Date()
  const tokens = connected.map(({ id }) => `rt_bench_${id}`)
  await db.run(sql`
    insert into refresh_tokens (hash, connection_id, created_at, expires_at)
    select hash, connection_id, ${now}, ${new Date(now.getTime() + 30 * 86_400_000)}
    from unnest(${tokens.map(sha256)}::bytea[], ${connected.map(({ id }) => id)}::uuid[])
      as token (hash, connection_id)
  `)
  return tokens
}
