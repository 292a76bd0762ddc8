/** A service under test with its own DATA_DIR, and a connection to its database. */

import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { migratedDataDir } from '../../tests/crash/support/data-dir.ts'
import { type ServiceProcess, startService } from '../../tests/crash/support/service-process.ts'
import { freePort } from '../../tests/support/network/port.ts'

export interface BenchTestbed {
  service: ServiceProcess
  db: Database
  dataDir: string
  close(): Promise<void>
}

/** A service without background work, for benches that bring their own worker. */
const withoutWorker = {
  command: [process.execPath, 'cli/bin.mjs', 'serve', '--role', 'api'],
  readyPath: '/healthz',
}

/** By itself a bench's database has 128 MB for its buffers; DATABASE_MEMORY sets more, as it does for an operator. */
const { DATABASE_MEMORY } = process.env
const databaseMemory = DATABASE_MEMORY === undefined ? {} : { DATABASE_MEMORY }

export async function openTestbed(
  env: Record<string, string> = {},
  role: 'all' | 'api' = 'all',
): Promise<BenchTestbed> {
  const dataDir = await migratedDataDir()
  const asked = role === 'api' ? withoutWorker : {}
  const port = await freePort()
  const service = await startService({
    dataDir: dataDir.path,
    port,
    // What a business may send in a day without a person's approval is no part of a bench.
    env: { DEFAULT_DEPLOY_LIMIT: 'none', ...databaseMemory, ...env },
    ...asked,
  })
  const db = await dataDir.open(10)
  await assertDurable(db)
  return {
    service,
    db,
    dataDir: dataDir.path,
    async close() {
      await db.end()
      await service.stop()
      await dataDir.remove()
    },
  }
}

/** Figures of a database that may lose acknowledged writes would be worthless. */
async function assertDurable(db: Database): Promise<void> {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit']
  const off = await db.all<{ name: string }>(sql`
    select name from pg_settings where name = any (${names}) and setting <> 'on'
  `)
  if (off.length > 0) throw new Error(`${off.map(({ name }) => name).join(', ')} is not on`)
}
