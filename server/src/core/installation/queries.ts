import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface RootKeyRow {
  /** The root key, sealed by each secret that may open it, in base64. */
  seals: string[]
  /** Present until the first start of an installation whose root key is its secret. */
  sample?: { context: string; sealed: string } | null
}

export async function readRootKey(db: Db): Promise<RootKeyRow | undefined> {
  const row = await db.maybe<{ value: RootKeyRow }>(
    sql`select value from installation where key = 'root-key'`,
  )
  return row?.value
}

/** Leaves the one that is there: of several first starts one makes it. */
export function insertRootKey(db: Db, value: RootKeyRow, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('root-key', ${JSON.stringify(value)}::jsonb, ${now})
    on conflict (key) do nothing
  `)
}

/** False where another process has changed it since it was read. */
export async function replaceRootKey(
  db: Db,
  { before, after, now }: { before: RootKeyRow; after: RootKeyRow; now: Date },
): Promise<boolean> {
  const changed = await db.run(sql`
    update installation set value = ${JSON.stringify(after)}::jsonb, updated_at = ${now}
    where key = 'root-key' and value = ${JSON.stringify(before)}::jsonb
  `)
  return changed === 1
}

export interface Addresses {
  baseUrl: string
  appUrl: string
  gatewayUrl: string
}

/** Those with which the service last started, on whichever node. */
export async function readAddresses(db: Db): Promise<Addresses | undefined> {
  const row = await db.maybe<{ value: Addresses }>(
    sql`select value from installation where key = 'addresses'`,
  )
  return row?.value
}

export function saveAddresses(db: Db, addresses: Addresses, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('addresses', ${JSON.stringify(addresses)}::jsonb, ${now})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
  `)
}

/** Whether a service has ever started with this database. */
export async function isSetUp(db: Db): Promise<boolean> {
  const row = await db.maybe<{ key: string }>(
    sql`select key from installation where key = 'root-key'`,
  )
  return row !== undefined
}

export interface SendingPause {
  reason: 'restored'
  since: string
}

export async function readPause(db: Db): Promise<SendingPause | undefined> {
  const row = await db.maybe<{ value: SendingPause }>(
    sql`select value from installation where key = 'sending-paused'`,
  )
  return row?.value
}

export function savePause(db: Db, pause: SendingPause, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('sending-paused', ${JSON.stringify(pause)}::jsonb, ${now})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
  `)
}

export function deletePause(db: Db): Promise<number> {
  return db.run(sql`delete from installation where key = 'sending-paused'`)
}
