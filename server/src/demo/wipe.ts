/** Removes the demo: its businesses, its people, and everything recorded about them since. */
import { type Refusal, refuse } from '../core/errors.ts'
import { type Id, twinOf } from '../core/ids.ts'
import { findDemo, forgetDemo } from '../core/installation/demo.ts'
import type { Files } from '../files/files.ts'
import { filesToRemove } from '../images/jobs.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import {
  deleteInbox,
  deleteJobs,
  deleteRows,
  tablesToEmpty,
  tablesWith,
} from '../retention/business-rows.ts'
import { demoClients } from './connecting/connect.ts'
import { deleteClients } from './connecting/connection-queries.ts'

/** Returns how many rows were removed. */
export async function wipeDemo(db: Database, files: Files): Promise<number | Refusal> {
  const demo = await findDemo(db)
  if (!demo) return refuse('not_found', 'There is no demo data. Create it with crier demo.')
  const { users } = demo
  const businesses = demo.businesses.flatMap((id) => [twinOf(id), id])
  const [ofBusinesses, ofUsers] = await Promise.all([tablesToEmpty(db), tablesWith(db, 'user_id')])
  const removeFiles = await filesToRemove(db, files, businesses)
  const rows = await db.tx(async (tx) => {
    let removed = await deleteInbox(tx, businesses)
    removed += await deleteClaims(tx, businesses)
    for (const businessId of businesses) {
      removed += await deleteJobs(tx, businessId)
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

export function deleteClaims(tx: Tx, ids: readonly Id<'business'>[]): Promise<number> {
  return tx.run(sql`
    delete from domain_claims where domain_id in (
      select id from domains where business_id = any(${ids}::uuid[])
    )
  `)
}
