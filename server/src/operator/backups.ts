/** `crier backup`, `crier backups` and `crier restore`. */
import { openLedger } from '../backups/ledger/open.ts'
import { pruneBackups } from '../backups/making/prune.ts'
import { takeBackup } from '../backups/making/take.ts'
import { verifyCopy } from '../backups/making/verify.ts'
import type { Backup } from '../backups/model/backup.ts'
import { openPlace, openSource } from '../backups/places/open.ts'
import type { BackupPlace, Progress } from '../backups/places/place.ts'
import { type MadeSafe, makeSafe } from '../backups/restoring/make-safe.ts'
import { restore } from '../backups/restoring/restore.ts'
import { readBackupPlace } from '../config/backup-place.ts'
import { secretOf } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'
import { refuse } from '../core/errors.ts'
import { openVault } from '../core/installation/root-key.ts'
import { uploadsFolder } from '../files/open.ts'
import { tarName } from '../lib/backup/copy-files.ts'
import type { Database } from '../lib/db/types.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import { systemIdOf } from '../lib/postgres/system-id.ts'
import type { Log } from '../lib/process/log.ts'
import type { Clock } from '../lib/time/clock.ts'

type Row = Record<string, unknown>

export interface BackupCommands {
  make(
    wanted: { to?: string | undefined; passphrase?: string | undefined },
    onProgress?: Progress,
  ): Promise<Row>
  verify(name: string): Promise<Row>
  prune(): Promise<Row>
  /** Makes a database that its own tools restored wait for a person, and repeats every opt-out. */
  hold(): Promise<Row>
}

interface Parts {
  db: Database
  config: Config
  clock: Clock
  own?: OwnServer | undefined
}

export function backupCommands({ db, config, clock, own }: Parts): BackupCommands {
  const placeOf = (named?: string) => placeNamed(config, named)
  const ours = (): OwnServer => {
    if (own) return own
    throw refuse(
      'conflict',
      'The database is that of DATABASE_URL: its own tools back it up, as docs/operate/backup.md says.',
    )
  }
  return {
    async make({ to, passphrase = config.backupPassphrase }, onProgress) {
      const made = await takeBackup({
        db,
        own: ours(),
        clock,
        place: await placeOf(to),
        secret: secretOf(config),
        passphrase,
        uploads: uploadsFolder(config),
        ...(onProgress && { onProgress }),
      })
      return { ...shown(made), ...(made.hasSecret ? {} : { warning: withoutSecret }) }
    },
    async verify(name) {
      const place = await placeOf()
      const facts = (await place.list()).find((backup) => backup.name === name)
      const packed = facts && (await place.read(name, tarName))
      if (!facts || !packed) {
        throw refuse('not_found', `${place.name} holds no complete backup ${name}.`)
      }
      const secret = secretOf(config)
      const verified = await verifyCopy({ own: ours(), clock, secret, facts, packed })
      const { counts, newest, verifiedAt } = verified
      await place.writeFacts({ ...facts, verifiedAt })
      return { backup: name, ...counts, newest_event: newest }
    },
    async prune() {
      const { removed, archiveFiles } = await pruneBackups(
        await placeOf(),
        own && systemIdOf(own.cluster.data),
      )
      return { removed, archive_files: archiveFiles }
    },
    async hold() {
      const ledger = config.ledgerTo && openLedger(config.ledgerTo)
      if (!ledger || !(await ledger.isThere())) {
        throw refuse(
          'invalid_request',
          'Set LEDGER_TO to the ledger of opt-outs: without it people who said no since the backup would be written to again.',
        )
      }
      const now = clock.now()
      const { hmac } = await openVault(db, secretOf(config), now)
      return told(await makeSafe(db, { now, hmac, ledger }))
    },
  }
}

/** The backups of a place, which is BACKUP_TO by default. It needs no database, such as before a restore. */
export async function listBackups(config: Config, named?: string): Promise<Row[]> {
  return (await (await placeNamed(config, named)).list()).map(shown)
}

async function placeNamed(
  { backupTo, bucketAccess }: Config,
  named?: string,
): Promise<BackupPlace> {
  const settings =
    named === undefined ? backupTo : readBackupPlace(named, 'The place', bucketAccess)
  if (settings !== undefined) return openPlace(settings)
  throw refuse('invalid_request', 'Name the place of the backups, or set BACKUP_TO to it.')
}

const withoutSecret =
  'THE SECRET IS NOT IN THIS BACKUP. Without it nothing that is sealed opens again: keys of sender domains, secrets of webhooks, everybody’s connections, and people who opted out are not recognised. Keep a copy of it apart from this machine, or set BACKUP_PASSPHRASE.'

function shown({ name, startedAt, bytes, counts, hasSecret, verifiedAt }: Backup): Row {
  return {
    backup: name,
    started_at: startedAt,
    megabytes: Math.round(bytes / 1e6),
    contacts: counts.contacts,
    secret: hasSecret ? 'sealed' : 'left out',
    verified_at: verifiedAt,
  }
}

export async function restoreInto(
  config: Config,
  wanted: { source: string; at?: string | undefined; passphrase?: string | undefined },
  parts: { clock: Clock; log: Log; say: (line: string) => void },
): Promise<Row> {
  if (config.databaseUrl !== undefined) {
    throw refuse(
      'conflict',
      'DATABASE_URL is set: a restore makes an embedded database. Leave DATABASE_URL out, or use the tools of that server.',
    )
  }
  const { backup, ...made } = await restore({
    ...parts,
    source: await openSource(wanted.source, config.bucketAccess),
    at: timeOf(wanted.at),
    dataDir: config.dataDir,
    secret: config.secret,
    passphrase: wanted.passphrase ?? config.backupPassphrase,
    ledger: config.ledgerTo && openLedger(config.ledgerTo),
    uploads: uploadsFolder(config),
  })
  return { backup, ...told(made) }
}

function told({ point, optOuts, campaigns }: MadeSafe): Row {
  return {
    restored_to: point,
    opt_outs_applied: optOuts,
    campaigns_paused: campaigns.paused,
    campaigns_drafts_again: campaigns.drafts,
    recipients_in_doubt: campaigns.recipientsInDoubt,
    next: 'Start the service and look around. Nothing is sent until: crier sending start',
  }
}

/** The time must have a zone: an error of an hour would restore the mistake as well. */
function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const at = new Date(text)
  const hasZone = text.endsWith('Z') || ['+', '-'].includes(text.at(-6) ?? '')
  if (hasZone && !Number.isNaN(at.getTime())) return at
  throw refuse(
    'invalid_request',
    `--at takes a time with its zone, such as 2026-11-24T09:30:00Z, not "${text}".`,
  )
}
