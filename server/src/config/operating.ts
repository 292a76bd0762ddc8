/** The settings that keep an installation from being lost, and tell its operator how it is. */
import path from 'node:path'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { ConfigError, readInteger, readOptional } from './readers.ts'

export interface OperatingConfig {
  /** The folder of backups; with it one is made every night, and the log is archived. */
  backupTo: string | undefined
  /** Seals the secret within them. */
  backupPassphrase: string | undefined
  /** The file that keeps every "no" outside the database. */
  ledgerTo: string | undefined
  /** Lets other machines read `/metrics`. */
  metricsToken: string | undefined
  /** A port of its own for `/healthz`, `/readyz` and `/metrics`; a worker has no other. */
  statusPort: number | undefined
  statusHost: string
  /** Who is told by mail when the installation needs a person. */
  operatorEmail: string | undefined
}

export function readOperating(
  text: (name: string) => string | undefined,
  host: string,
): OperatingConfig {
  const backupTo = readOptional(text('BACKUP_TO'), (folder) => path.resolve(folder))
  const beside = backupTo === undefined ? undefined : path.join(backupTo, 'ledger.jsonl')
  return {
    backupTo,
    backupPassphrase: readLong(text('BACKUP_PASSPHRASE'), 'BACKUP_PASSPHRASE', 12),
    ledgerTo: readOptional(text('LEDGER_TO'), (file) => path.resolve(file)) ?? beside,
    metricsToken: readLong(text('METRICS_TOKEN'), 'METRICS_TOKEN', 16),
    statusPort: readOptional(text('STATUS_PORT'), (port) =>
      readInteger(port, 'STATUS_PORT', 1, 65_535),
    ),
    statusHost: text('STATUS_HOST') ?? host,
    operatorEmail: readOptional(text('OPERATOR_EMAIL'), readOperator),
  }
}

function readOperator(text: string): string {
  const email = normaliseEmail(text)
  if (typeof email === 'string') return email
  throw new ConfigError(`OPERATOR_EMAIL takes one address such as ops@example.com, not "${text}".`)
}

function readLong(text: string | undefined, name: string, least: number): string | undefined {
  if (text === undefined || text.length >= least) return text
  throw new ConfigError(`${name} takes at least ${least} characters: it must not be guessed.`)
}
