/** Settings that protect an installation from loss, and report its state to the operator. */
import path from 'node:path'
import type { ClientConfig } from 'pg'
import { normaliseEmail } from '../lib/email/email-address.ts'
import {
  type BackupSettings,
  type LedgerSettings,
  ledgerBeside,
  readBackupPlace,
  readLedgerPlace,
} from './backup-place.ts'
import { ConfigError, readInteger, readOptional } from './readers.ts'
import { type BucketAccess, readBucketAccess } from './storage.ts'
import { readSubmission, type SubmissionConfig } from './submission.ts'
import { readTraces, type TracesConfig } from './traces.ts'

export interface OperatingConfig {
  /** The database without a pooler between, over which a worker hears of others' jobs. */
  databaseDirectUrl: string | undefined
  /** How long a node that is asked to stop by SIGTERM goes on serving, while it says not ready. */
  drainMs: number
  /** The place of backups. If set, a backup is made every night and the log is archived. */
  backupTo: BackupSettings | undefined
  /** The file that the tools of a server at DATABASE_URL touch after each good backup. */
  backupStamp: string | undefined
  /** Seals the secret within the backups. */
  backupPassphrase: string | undefined
  /** Seals the files of businesses that move to another installation. */
  movePassphrase: string | undefined
  /** Where every opt-out is stored outside the database. */
  ledgerTo: LedgerSettings | undefined
  /** How a command reaches a bucket that only its argument names. */
  bucketAccess: BucketAccess
  /** The token with which other machines may read `/metrics`. */
  metricsToken: string | undefined
  /** A separate port for `/healthz`, `/readyz` and `/metrics`; a worker has no other port. */
  statusPort: number | undefined
  statusHost: string
  /** The address that gets a mail when the installation needs a person. */
  operatorEmail: string | undefined
  /** The SMTP server to which programs submit mail; without its ports there is none. */
  submission: SubmissionConfig | undefined
  /** Where traces are sent; undefined if nowhere. */
  traces: TracesConfig | undefined
}

export function readOperating(
  text: (name: string) => string | undefined,
  host: string,
): OperatingConfig {
  const bucketAccess = readBucketAccess(text)
  const backupTo = readOptional(text('BACKUP_TO'), (value) =>
    readBackupPlace(value, 'BACKUP_TO', bucketAccess),
  )
  const ledgerTo =
    readOptional(text('LEDGER_TO'), (value) => readLedgerPlace(value, bucketAccess)) ??
    (backupTo && ledgerBeside(backupTo))
  return {
    databaseDirectUrl: readDirectUrl(text('DATABASE_DIRECT_URL'), text('DATABASE_URL')),
    drainMs: 1000 * readInteger(text('DRAIN_SECONDS') ?? '0', 'DRAIN_SECONDS', 0, 300),
    backupTo,
    backupStamp: readOptional(text('BACKUP_STAMP'), (file) => path.resolve(file)),
    movePassphrase: readLong(text('MOVE_PASSPHRASE'), 'MOVE_PASSPHRASE', 12),
    backupPassphrase: readLong(text('BACKUP_PASSPHRASE'), 'BACKUP_PASSPHRASE', 12),
    ledgerTo,
    bucketAccess,
    metricsToken: readLong(text('METRICS_TOKEN'), 'METRICS_TOKEN', 16),
    statusPort: readOptional(text('STATUS_PORT'), (port) =>
      readInteger(port, 'STATUS_PORT', 1, 65_535),
    ),
    statusHost: text('STATUS_HOST') ?? host,
    operatorEmail: readOptional(text('OPERATOR_EMAIL'), readOperator),
    submission: readSubmission(text, host),
    traces: readTraces(text),
  }
}

/** Not repeated where it is wrong, since it holds a password. */
function readDirectUrl(direct: string | undefined, url: string | undefined): string | undefined {
  if (direct === undefined) return undefined
  if (url === undefined) {
    throw new ConfigError('DATABASE_DIRECT_URL goes with DATABASE_URL: both name one database.')
  }
  if (URL.canParse(direct) && /^postgres(ql)?:\/\//.test(direct)) return direct
  throw new ConfigError('DATABASE_DIRECT_URL must be postgres://user:password@host:port/database.')
}

/** The connection over which a process hears of others. */
export function listensOn(
  { databaseDirectUrl: connectionString }: Pick<OperatingConfig, 'databaseDirectUrl'>,
  connection: ClientConfig,
): ClientConfig {
  return connectionString ? { connectionString, application_name: 'crier' } : connection
}

function readOperator(text: string): string {
  const email = normaliseEmail(text)
  if (typeof email === 'string') return email
  throw new ConfigError(
    `OPERATOR_EMAIL must be one address such as ops@example.com, not "${text}".`,
  )
}

function readLong(text: string | undefined, name: string, least: number): string | undefined {
  if (text === undefined || text.length >= least) return text
  throw new ConfigError(`${name} must be at least ${least} characters: it must not be guessed.`)
}
