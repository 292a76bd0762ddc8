/** Removes the demo: its businesses, its people, and everything recorded about them since. */

import { type Refusal, refuse } from '../core/errors.ts'
import { findDemo, forgetDemo } from '../core/installation/demo.ts'
import { fanOutJob } from '../events/emit.ts'
import type { Files } from '../files/files.ts'
import { filesToRemove } from '../images/jobs.ts'
import type { Database } from '../lib/db/types.ts'
import { placeOf } from '../lib/jobs/shard.ts'
import { demoClients } from './connecting/connect.ts'
import { deleteClients } from './connecting/connection-queries.ts'
import {
  deleteBusinesses,
  deleteClaims,
  deleteInbox,
  deleteJobs,
  deleteLinks,
  deleteRows,
  deleteUsers,
  tablesWith,
} from './wipe-queries.ts'

const sharedLane = placeOf({ kind: fanOutJob, lane: 'several' }).laneId

/** Returns how many rows were removed. */
export async function wipeDemo(db: Database, files: Files): Promise<number | Refusal> {
  const demo = await findDemo(db)
  if (!demo) return refuse('not_found', 'There is no demo data: crier demo makes it.')
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
