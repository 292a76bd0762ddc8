/** The parts of the service that operations on imports need. */

import type { Files } from '../../files/files.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'

export interface ImportFacility {
  db: Database
  clock: Clock
  files: Files
  vault: Pick<Vault, 'seal' | 'open'>
  gatewayUrl: string
}
