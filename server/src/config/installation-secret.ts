/** Where the secret of this installation comes from. */
import { installationSecret } from '../lib/crypto/vault.ts'
import { isOnThisMachine } from '../lib/postgres/url.ts'
import { ConfigError } from './readers.ts'

interface SecretLocation {
  secret: string | undefined
  dataDir: string
  databaseUrl: string | undefined
}

/** CRIER_SECRET, or the secret in DATA_DIR, which is created if there is none. */
export function secretOf(where: SecretLocation): string {
  refuseSecretOfOneMachine(where)
  return where.secret ?? installationSecret(where.dataDir)
}

/** Without this check, each machine that shares a database would create a secret of its own. */
export function refuseSecretOfOneMachine({ secret, databaseUrl }: SecretLocation): void {
  if (secret !== undefined || databaseUrl === undefined || isOnThisMachine(databaseUrl)) return
  throw new ConfigError(
    'CRIER_SECRET is required where DATABASE_URL names another machine: all nodes need the same one. Make it once with openssl rand -base64 32, and keep a copy apart from the database. A service that ran with this database before has it in DATA_DIR/secret.',
  )
}
