import type { Config } from '../config.ts'
import type { Operation } from '../core/operation.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import type { Resolve } from '../lib/http-client/outbound-guard.ts'
import type { Log } from '../lib/process/log.ts'
import type { Clock } from '../lib/time/clock.ts'

export interface AppParts {
  config: Config
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  /** What `/readyz` asks beside the database. */
  checks?: Record<string, () => Promise<string | undefined>>
  /** Who is asked for the addresses of names that callers give; the system, unless a test says. */
  resolve?: Resolve
  /** Operations beside the catalogue's, for tests of the engine. */
  operations?: readonly Operation[]
}
