/** Removes the demo: its businesses, its people, and everything recorded about them since. */
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { findDemo, forgetDemo } from '../core/installation/demo.ts'
import { fanOutJob } from '../events/emit.ts'
import type { Files } from '../files/files.ts'
import { filesToRemove } from '../images/jobs.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { placeOf } from '../lib/jobs/shard.ts'
import { demoClients } from './connecting/connect.ts'
import { deleteClients } from './connecting/connection-queries.ts'

const sharedLane = placeOf({ kind: fanOutJob, lane: 'several' }).laneId

/** Returns how many rows were removed. */
export async function wipeDemo(db: Database, files: Files): Promise<number | Refusal> {
  const demo = await findDemo(db)
  if (!demo) return refuse('not_found', 'There is no demo data. Create it with crier demo.')
  const { businesses, users } = demo
  const [ofBusinesses, ofUsers] = await Promise.all([
    tablesWith(db, 'business_id'),
    tablesWith(db, 'user_id'),
  ])
  const removeFiles = await filesToRemove(db, files, businesses)
  const rows = await db.tx(async (tx) => {
    let removed = await deleteInbox(tx, businesses)
    removed += await deleteClaims(tx, businesses)
    for (const businessId of businesses) {
      removed += await deleteJobs(tx, businessId, { sharedLane })
    }
    for (const table of ofBusinesses) {
      removed += await deleteRows(tx, table, { column: 'business_id', ids: businesses })
    }
    removed += await deleteLinks(tx, users)
    for (const table of ofUsers) {
      removed += await deleteRows(tx, table, { column: 'user_id', ids: users })
    }
    removed += await deleteClients(tx, demoClients)
    removed += await deleteBusinesses(tx, businesses)
    removed += await deleteUsers(tx, users)
    return removed + (await forgetDemo(tx))
  })
  await removeFiles()
  return rows
}

/** Every table with a column of this name, except partitions of other tables. */
export async function tablesWith(db: Db, column: 'business_id' | 'user_id'): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = ${column} and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and pg_table_is_visible(c.oid)
      and c.relnamespace <> 'pg_catalog'::regnamespace
    order by 1
  `)
  return rows.map(({ name }) => name)
}

/** Table names come from the database's own catalogue, never from a caller. */
export function deleteRows(
  tx: Tx,
  table: string,
  { column, ids }: { column: 'business_id' | 'user_id'; ids: readonly string[] },
): Promise<number> {
  const text = `delete from ${table} where ${column} = any($1::uuid[])`
  return tx.run({ name: '', text, values: [ids] })
}

export function deleteBusinesses(tx: Tx, ids: readonly Id<'business'>[]): Promise<number> {
  return tx.run(sql`delete from businesses where id = any(${ids}::uuid[])`)
}

/** Deletes the users themselves, after every row that refers to them. */
export function deleteUsers(tx: Tx, ids: readonly Id<'user'>[]): Promise<number> {
  return tx.run(sql`delete from users where id = any(${ids}::uuid[])`)
}

export function deleteLinks(tx: Tx, users: readonly Id<'user'>[]): Promise<number> {
  return tx.run(sql`
    delete from magic_links
    where email in (select email from users where id = any(${users}::uuid[]))
  `)
}

/** Deletes the built-in inbox's copies of messages that the businesses sent. */
export function deleteInbox(tx: Tx, ids: readonly Id<'business'>[]): Promise<number> {
  return tx.run(sql`
    delete from inbox_messages where message_id in (
      select id from messages where business_id = any(${ids}::uuid[])
    )
  `)
}

export function deleteClaims(tx: Tx, ids: readonly Id<'business'>[]): Promise<number> {
  return tx.run(sql`
    delete from domain_claims where domain_id in (
      select id from domains where business_id = any(${ids}::uuid[])
    )
  `)
}

/** Deletes a business's jobs, except those in the lane that events of several businesses share. */
export function deleteJobs(
  tx: Tx,
  businessId: Id<'business'>,
  { sharedLane }: { sharedLane: string },
): Promise<number> {
  return tx.run(sql`
    delete from jobs
    where position(${businessId}::text in payload::text) > 0 and lane <> ${sharedLane}
  `)
}
