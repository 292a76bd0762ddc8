import type { ClientConfig } from 'pg'
import type { Config } from '../config.ts'
import type { Operation } from '../core/operation.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import type { Resolve } from '../lib/http-client/outbound-guard.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import type { Log } from '../lib/process/log.ts'
import type { Clock } from '../lib/time/clock.ts'

/** The parts from which the tests and `main.ts` build the application. */
export interface AppParts {
  config: Config
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  /** Where a worker listens for jobs of other processes; undefined in tests that need none. */
  listenOn?: ClientConfig
  /** Checks that `/readyz` makes in addition to that of the database. */
  checks?: Record<string, () => Promise<string | undefined>>
  /** The database, if it is our own, and the secret, from which backups are made. */
  backup?: { own: OwnServer; secret: string } | undefined
  /** Resolves names that callers give; the system's resolver unless a test replaces it. */
  resolve?: Resolve
  /** Operations in addition to the catalogue's, for tests of the engine. */
  operations?: readonly Operation[]
}
