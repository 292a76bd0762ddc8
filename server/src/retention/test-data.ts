/** Empties test mode: the data of a business's twin is deleted a week after it began. */

import { restartTwin, twinsBegunBefore } from '../accounts/businesses/twin.ts'
import type { Id } from '../core/ids.ts'
import type { Database } from '../lib/db/types.ts'
import { type Clock, days, later } from '../lib/time/clock.ts'
import { deleteInbox, deleteJobs, deleteRows, tablesToEmpty } from './business-rows.ts'

const testDataKeptMs = days(7)

interface TestDataDeps {
  db: Database
  clock: Clock
}

export async function emptyTestMode(deps: TestDataDeps): Promise<void> {
  const { db, clock } = deps
  const twins = await twinsBegunBefore(db, later(clock.now(), -testDataKeptMs))
  if (twins.length === 0) return
  const tables = await tablesToEmpty(db)
  for (const { id } of twins) await emptyTwin(deps, id, tables)
}

async function emptyTwin(
  { db, clock }: TestDataDeps,
  id: Id<'business'>,
  tables: readonly string[],
): Promise<void> {
  await db.tx(async (tx) => {
    await deleteInbox(tx, [id])
    await deleteJobs(tx, id)
    for (const table of tables) await deleteRows(tx, table, { column: 'business_id', ids: [id] })
    await restartTwin(tx, id, clock.now())
  })
}
