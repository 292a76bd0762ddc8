import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Id } from '../ids.ts'

async function readValue<T>(db: Db, key: string): Promise<T | undefined> {
  const row = await db.maybe<{ value: T }>(sql`select value from installation where key = ${key}`)
  return row?.value
}

function saveValue(db: Db, { key, value }: { key: string; value: object }, now: Date) {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values (${key}, ${JSON.stringify(value)}::jsonb, ${now})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
  `)
}

export interface RootKeyRow {
  /** The root key, sealed by each secret that may open it, in base64. */
  seals: string[]
  /** Present until the first start of an installation whose root key is its secret. */
  sample?: { context: string; sealed: string } | null
}

export const readRootKey = (db: Db) => readValue<RootKeyRow>(db, 'root-key')

/** An existing root key stays: of several first starts, one creates it. */
export function insertRootKey(db: Db, value: RootKeyRow, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('root-key', ${JSON.stringify(value)}::jsonb, ${now})
    on conflict (key) do nothing
  `)
}

/** Returns false if another process has changed the row since it was read. */
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

/** The addresses with which the service last started, on any node. */
export const readAddresses = (db: Db) => readValue<Addresses>(db, 'addresses')

export const saveAddresses = (db: Db, addresses: Addresses, now: Date) =>
  saveValue(db, { key: 'addresses', value: addresses }, now)

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

export const readPause = (db: Db) => readValue<SendingPause>(db, 'sending-paused')

export const savePause = (db: Db, pause: SendingPause, now: Date) =>
  saveValue(db, { key: 'sending-paused', value: pause }, now)

export function deletePause(db: Db): Promise<number> {
  return db.run(sql`delete from installation where key = 'sending-paused'`)
}

/** Which lines the ledger of opt-outs had when it was read for a restore. */
export const readLedgerRead = (db: Db) => readValue<{ lines: string }>(db, 'ledger-read')

export const saveLedgerRead = (db: Db, lines: string, now: Date) =>
  saveValue(db, { key: 'ledger-read', value: { lines } }, now)

export function deleteLedgerRead(db: Db): Promise<number> {
  return db.run(sql`delete from installation where key = 'ledger-read'`)
}

export interface DemoRow {
  businesses: Id<'business'>[]
  users: Id<'user'>[]
}

/** Which businesses and users the demo made. */
export async function readDemo(db: Db): Promise<DemoRow | undefined> {
  const row = await db.maybe<{ value: DemoRow }>(
    sql`select value from installation where key = 'demo'`,
  )
  return row?.value
}

/** Returns 0 if there is demo data already. */
export function insertDemo(db: Db, demo: DemoRow, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('demo', ${JSON.stringify(demo)}::jsonb, ${now})
    on conflict (key) do nothing
  `)
}

export function deleteDemo(db: Db): Promise<number> {
  return db.run(sql`delete from installation where key = 'demo'`)
}

/** Touches no row. */
export const deleteNothing = (db: Db): Promise<number> =>
  db.run(sql`delete from installation where false`)
