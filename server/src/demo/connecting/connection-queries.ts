/** Statements that write connections of the demo, and remove their clients. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { minutes } from '../../lib/time/clock.ts'

interface DemoClient {
  clientId: string
  name: string
  redirectUri: string
  createdAt: Date
}

export function insertClient(tx: Tx, client: DemoClient): Promise<number> {
  return tx.run(sql`
    insert into oauth_clients (id, kind, name, redirect_uris, grant_types, created_at)
    values (${client.clientId}, 'dynamic', ${client.name}, array[${client.redirectUri}],
      array['authorization_code', 'refresh_token'], ${client.createdAt})
  `)
}

interface DemoConnection {
  id: Id<'connection'>
  userId: Id<'user'>
  clientId: string
  redirectUri: string
  scopes: readonly string[]
  businesses: readonly Id<'business'>[]
  recipientsPerDay: number | null
  createdAt: Date
  lastUsedAt: Date
  refreshHash: Buffer
  expiresAt: Date
}

export async function insertConnection(tx: Tx, connection: DemoConnection): Promise<void> {
  await tx.run(sql`
    insert into connections (id, user_id, client_id, redirect_uri, scopes, business_ids,
      recipients_per_day, created_at, last_used_at)
    values (${connection.id}, ${connection.userId}, ${connection.clientId}, ${connection.redirectUri}, ${[...connection.scopes]},
      ${[...connection.businesses]}, ${connection.recipientsPerDay}, ${connection.createdAt}, ${connection.lastUsedAt})
  `)
  await tx.run(sql`
    insert into refresh_tokens (hash, connection_id, created_at, expires_at)
    values (${connection.refreshHash}, ${connection.id}, ${connection.createdAt}, ${connection.expiresAt})
  `)
}

/** Also sets the last use of the connection, which is its newest call. */
export async function insertCalls(
  db: Db,
  id: Id<'connection'>,
  { calls, at }: { calls: readonly { at: string }[]; at: Date },
): Promise<void> {
  await db.run(sql`
    insert into connection_calls (connection_id, calls, called_at)
    values (${id}, ${JSON.stringify(calls)}::jsonb, ${at})
  `)
  await db.run(sql`
    update connections set last_used_at = ${calls[0]?.at ?? null}::timestamptz where id = ${id}
  `)
}

/** Recipients to whom a connection ordered messages, as its limit counts them. */
export function insertOrdered(
  db: Db,
  businessId: Id<'business'>,
  { id, amount, at }: { id: Id<'connection'>; amount: number; at: Date },
): Promise<number> {
  const bucket = Math.floor(at.getTime() / minutes(30))
  return db.run(sql`
    insert into key_recipients (business_id, connection_id, counted)
    values (${businessId}, ${id}, json_build_object(${String(bucket)}::text, ${amount}::integer))
  `)
}

export function deleteClients(tx: Tx, ids: readonly string[]): Promise<number> {
  return tx.run(sql`
    delete from oauth_clients client where id = any (${[...ids]}::text[])
      and not exists (select 1 from connections where client_id = client.id)
  `)
}
