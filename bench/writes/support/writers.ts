/**
 * Many connections that may write in a few businesses. There are so many that no token reaches its
 * limit of 600 a minute, and each can access only one business.
 */

import { formatId, type Id, newId } from '../../../server/src/core/ids.ts'
import type { Scope } from '../../../server/src/core/operation.ts'
import { sql } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import { type Connected, mintTokens } from '../../support/population.ts'
import type { BenchTestbed } from '../../support/testbed.ts'
import { callTool } from './call-tool.ts'

const callback = 'http://localhost:7777/callback'
const scopes: readonly Scope[] = [
  'meta:read',
  'audience:read',
  'audience:write',
  'forms:read',
  'forms:write',
  'messaging:send',
]

export interface Writers {
  businessIds: Id<'business'>[]
  /** One for each connection. The token at place i writes in business i modulo their number. */
  tokens: string[]
}

export async function settleWriters(
  testbed: BenchTestbed,
  { businesses, connections }: { businesses: number; connections: number },
): Promise<Writers> {
  const now = new Date()
  const clientId = formatId('client', newId('client'))
  const places = Array.from({ length: businesses }, (_, i) => ({
    id: newId('business'),
    name: `Business ${i}`,
  }))
  const connected = Array.from({ length: connections }, (_, i): Connected => {
    const place = places[i % businesses]
    return {
      id: newId('connection'),
      userId: newId('user'),
      businesses: place ? [place] : [],
    }
  })
  await insert(testbed.db, { clientId, places, connected }, now)
  const tokens = await mintTokens(testbed, { clientId, connected }, scopes)
  await show(testbed, tokens)
  return { businessIds: places.map(({ id }) => id), tokens }
}

/** Uses each token once, as its first call within the hour would, so that it is known. */
async function show(testbed: BenchTestbed, tokens: string[]): Promise<void> {
  const rest = tokens.values()
  const shower = async () => {
    for (const token of rest) await callTool(testbed, token, 'form.list', { limit: 1 })
  }
  await Promise.all(Array.from({ length: 8 }, shower))
}

interface Settlers {
  clientId: string
  places: Connected['businesses']
  connected: Connected[]
}

async function insert(db: Database, settlers: Settlers, now: Date): Promise<void> {
  const { clientId, places, connected } = settlers
  const users = connected.map(({ userId }) => userId)
  const reached = connected.map(({ businesses: [only] }) => only?.id)
  await db.run(sql`
    insert into oauth_clients (id, kind, name, redirect_uris, grant_types, created_at)
    values (${clientId}, 'dynamic', 'Bench', array[${callback}],
      '{authorization_code,refresh_token}', ${now})
  `)
  await db.run(sql`
    insert into businesses (id, name, tier, created_at, updated_at)
    select id, name, 'scale', ${now}, ${now}
    from unnest(${places.map(({ id }) => id)}::uuid[], ${places.map(({ name }) => name)}::text[])
      as business (id, name)
  `)
  await db.run(sql`
    insert into users (id, email, created_at)
    select id, id || '@example.com', ${now} from unnest(${users}::uuid[]) as person (id)
  `)
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    select business_id, user_id, 'owner', ${now}
    from unnest(${reached}::uuid[], ${users}::uuid[]) as member (business_id, user_id)
  `)
  await db.run(sql`
    insert into connections (id, user_id, client_id, redirect_uri, scopes, business_ids, created_at)
    select id, user_id, ${clientId}, ${callback}, ${scopes}::text[], array[business_id], ${now}
    from unnest(
      ${connected.map(({ id }) => id)}::uuid[], ${users}::uuid[], ${reached}::uuid[]
    ) as c (id, user_id, business_id)
  `)
}
