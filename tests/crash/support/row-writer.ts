/**
 * A process that writes as fast as it can: `node row-writer.ts DATA_DIR`. Each transaction writes
 * one number into two tables, and the number is printed once its commit is acknowledged. Errors are
 * expected from a killed database, and do not end the process.
 */

import { newId } from '../../../server/src/core/ids.ts'
import { openDatabase, sql } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import { openPostgres } from '../../../server/src/lib/postgres/open.ts'
import { silentLog } from '../../support/silent-log.ts'

const postgres = await openPostgres({
  dataDir: process.argv[2] ?? '',
  databaseUrl: undefined,
  log: silentLog,
})
const db = openDatabase(postgres)
await db.run(sql`create table if not exists debits (id uuid primary key)`)
await db.run(sql`create table if not exists credits (id uuid primary key)`)
await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => writeForEver(db)))

async function writeForEver(to: Database): Promise<never> {
  for (;;) {
    const id = newId('job')
    try {
      await to.tx(async (tx) => {
        await tx.run(sql`insert into debits values (${id})`)
        await tx.run(sql`insert into credits values (${id})`)
      })
      process.stdout.write(`${id}\n`)
    } catch {
      process.stdout.write('lost\n')
    }
  }
}
