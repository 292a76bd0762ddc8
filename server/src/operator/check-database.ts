/** Checks the database: reachable, supported version, durable, migrated. */

import { existsSync } from 'node:fs'
import { durabilityFinding, queueFinding } from '../checks/check-data.ts'
import { volumeFinding } from '../checks/check-domains.ts'
import {
  addressesFinding,
  clockFinding,
  clockJumpFinding,
  hearingFinding,
  sealFinding,
} from '../checks/check-nodes.ts'
import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import { listensOn } from '../config/operating.ts'
import type { Config } from '../config.ts'
import { openDatabase, sql } from '../lib/db/db.ts'
import { pendingMigrations } from '../lib/db/migrate.ts'
import type { Database } from '../lib/db/types.ts'
import { homeName } from '../lib/postgres/home.ts'
import { openPostgres, type Postgres } from '../lib/postgres/open.ts'
import { createLog } from '../lib/process/log.ts'
import { marketingFindings } from './check-reports.ts'

const oldestMajor = 15

export async function* databaseFindings(config: Config): AsyncGenerator<Finding> {
  if (config.databaseUrl === undefined && !existsSync(homeName(config.dataDir))) {
    yield ok('database', 'embedded, made on the first start')
    return
  }
  let postgres: Postgres
  try {
    postgres = await openPostgres({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      log: createLog('silent'),
    })
  } catch (error) {
    yield unreachable(config, error)
    return
  }
  const db = openDatabase({ connection: postgres.connection, poolSize: 1 })
  try {
    yield* examined(db, postgres, config)
  } catch (error) {
    yield unreachable(config, error)
  } finally {
    await db.end()
    await postgres.stop()
  }
}

async function* examined(
  db: Database,
  { kind, connection }: Postgres,
  config: Config,
): AsyncGenerator<Finding> {
  const { version } = await db.one<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  )
  const source = { url: 'from DATABASE_URL', embedded: 'embedded', system: "the machine's own" }
  yield Number.parseInt(version, 10) >= oldestMajor
    ? ok('database', `PostgreSQL ${version}, ${source[kind]}`)
    : fail('database', `PostgreSQL ${version} is too old`, `Use ${oldestMajor} or newer.`)
  yield await durabilityFinding(db)
  yield await clockFinding(db)
  const pending = await pendingMigrations(db)
  yield pending.length === 0
    ? ok('migrations', 'all applied')
    : warn('migrations', `not applied: ${pending.join(', ')}`, 'crier migrate')
  if (pending.length > 0) return
  const jump = await clockJumpFinding(db, new Date())
  if (jump) yield jump
  yield await sealFinding(db, config)
  yield await addressesFinding(db, config)
  yield await queueFinding(db)
  yield* marketingFindings(db, config)
  const volume = await volumeFinding(db)
  if (volume) yield volume
  yield await hearingFinding(db, listensOn(config, connection))
}

/** A driver's message may contain the address with its password, so only the code is shown. */
function unreachable({ databaseUrl }: Config, error: unknown): Finding {
  const { code, message, name } = error as NodeJS.ErrnoException
  const ours = name === 'StartError'
  const reason = ours ? message : `no connection${code ? ` (${code})` : ''}`
  const mend = databaseUrl
    ? 'Check that the server is running, and that DATABASE_URL has the right host, user and password.'
    : 'See the message, and postgres.log in the data folder.'
  return fail('database', reason, mend)
}
