/** `crier backup`, `crier backups` and `crier restore`. */
import { openLedger } from '../backups/ledger/open.ts'
import { pruneBackups } from '../backups/making/prune.ts'
import {
  type BackupSource,
  contentOf,
  embeddedSource,
  isVerified,
} from '../backups/making/source.ts'
import { refuseFullDisk, takeBackup } from '../backups/making/take.ts'
import { BackupFault } from '../backups/making/verify.ts'
import { type Backup, isGood } from '../backups/model/backup.ts'
import { openPlace, openSource } from '../backups/places/open.ts'
import type { BackupPlace, Progress } from '../backups/places/place.ts'
import { applyLaterOptOuts, type MadeSafe, makeSafe } from '../backups/restoring/make-safe.ts'
import { restore } from '../backups/restoring/restore.ts'
import { readBackupPlace } from '../config/backup-place.ts'
import { secretOf } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'
import { refuse } from '../core/errors.ts'
import { openVault } from '../core/installation/root-key.ts'
import { sendingPause, startSending } from '../core/installation/sending.ts'
import { uploadsFolder } from '../files/open.ts'
import { StartError } from '../lib/db/start-error.ts'
import type { Database } from '../lib/db/types.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import { systemIdOf } from '../lib/postgres/system-id.ts'
import { createLog, type Log } from '../lib/process/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { isExistingDay } from '../lib/time/wall-clock.ts'

type Row = Record<string, unknown>

export interface BackupCommands {
  make(
    wanted: { to?: string | undefined; passphrase?: string | undefined },
    onProgress?: Progress,
  ): Promise<Row>
  verify(name: string): Promise<Row>
  prune(wanted?: { dryRun?: boolean | undefined }): Promise<Row>
  /** Makes a database that its own tools restored wait for a person, and repeats every opt-out. */
  hold(): Promise<Row>
  /** Reads the ledger once more, and lets everything that has waited since a restore be sent. */
  start(): Promise<Row>
}

interface Parts {
  db: Database
  config: Config
  clock: Clock
  own?: OwnServer | undefined
}

export function backupCommands({ db, config, clock, own }: Parts): BackupCommands {
  const placeOf = (named?: string) => placeNamed(config, named)
  /** Loaded by the commands that make or look into a backup. */
  const openSource = async (): Promise<BackupSource> => {
    const secret = secretOf(config)
    if (own) return embeddedSource({ own, clock, secret })
    const { serverSource } = await import('../backups/making/server-source.ts')
    const { dataDir } = config
    const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl ?? ''
    return serverSource({ databaseUrl, dataDir, clock, log: createLog('silent'), secret })
  }
  return {
    async make({ to, passphrase = config.backupPassphrase }, onProgress) {
      const { backup, unverified } = await takeBackup({
        db,
        source: await openSource(),
        clock,
        backupPlace: await placeOf(to),
        ledger: config.ledgerTo && openLedger(config.ledgerTo),
        secret: secretOf(config),
        passphrase,
        uploads: uploadsFolder(config),
        ...(onProgress && { onProgress }),
      })
      return {
        ...shown(backup),
        ...(unverified !== undefined && { not_verified: unverified }),
        ...(!backup.hasSecret && { warning: withoutSecret }),
      }
    },
    async verify(name) {
      const backupPlace = await placeOf()
      const facts = (await backupPlace.list()).find((backup) => backup.name === name)
      if (!facts) throw refuse('not_found', `${backupPlace.name} holds no complete backup ${name}.`)
      refuseOtherKind(facts, own)
      const source = await openSource()
      await refuseFullDisk(source.home, facts.bytes)
      try {
        const packed = await backupPlace.read(name, contentOf(facts))
        if (!packed) throw new BackupFault(`It has lost its file ${contentOf(facts)}.`)
        const result = await source.verify(facts, packed)
        if (!isVerified(result)) {
          throw new StartError(`The backup ${name} was not verified: ${result.why}.`)
        }
        const { counts, newest, verifiedAt } = result
        await backupPlace.writeFacts({ ...facts, verifiedAt, failedAt: null, failure: null })
        return { backup: name, ...counts, newest_event: newest }
      } catch (error) {
        if (!(error instanceof BackupFault)) throw error
        const failure = error.message.replaceAll('\n', ' ').slice(0, 500)
        await backupPlace.writeFacts({ ...facts, failedAt: clock.now().toISOString(), failure })
        throw new StartError(
          `The backup ${name} failed its verification. ${error.message}\nThat is written on it: a restore passes it over, and prune keeps no day for it. Make another one with crier backup.`,
        )
      }
    },
    async prune({ dryRun = false } = {}) {
      const { removed, archiveFiles } = await pruneBackups(
        await placeOf(),
        own && systemIdOf(own.cluster.data),
        dryRun,
      )
      if (dryRun) return { dry_run: true, would_remove: removed, archive_files: archiveFiles }
      return { removed, archive_files: archiveFiles }
    },
    async hold() {
      const ledger = config.ledgerTo && openLedger(config.ledgerTo)
      if (!ledger || !(await ledger.isThere())) {
        throw refuse(
          'invalid_request',
          'Set LEDGER_TO to the ledger of opt-outs. Without it, people who opted out since the backup would get messages again.',
        )
      }
      const now = clock.now()
      const { hmac } = await openVault(db, secretOf(config), now)
      return restoredRow(await makeSafe(db, { now, hmac, ledger }))
    },
    async start() {
      const pause = await sendingPause(db)
      if (!pause) throw refuse('conflict', 'Sending is not paused.')
      const now = clock.now()
      const ledger = config.ledgerTo && openLedger(config.ledgerTo)
      const { hmac } = await openVault(db, secretOf(config), now)
      const optOuts = ledger && (await applyLaterOptOuts(db, pause, { hmac, ledger, now }))
      await startSending(db)
      return {
        sending: 'started',
        ...(optOuts === undefined ? { warning: withoutLedger } : { opt_outs_applied: optOuts }),
      }
    },
  }
}

function refuseOtherKind({ name, kind = 'embedded' }: Backup, own: OwnServer | undefined): void {
  if ((kind === 'embedded') === (own !== undefined)) return
  throw refuse(
    'conflict',
    own
      ? `The backup ${name} is of a server at DATABASE_URL. Set DATABASE_URL to verify it.`
      : `The backup ${name} is of an embedded database. Unset DATABASE_URL to verify it.`,
  )
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
  throw refuse('invalid_request', 'Pass the location of the backups, or set BACKUP_TO.')
}

const withoutLedger =
  'No ledger was read, because neither BACKUP_TO nor LEDGER_TO is set: what people said since the restore is known only as far as this database has it.'

const withoutSecret =
  'THE SECRET IS NOT IN THIS BACKUP. Without it nothing that is sealed opens again: keys of sender domains, secrets of webhooks, everybody’s connections, and people who opted out are not recognised. Keep a copy of it apart from this machine, or set BACKUP_PASSPHRASE.'

function shown(backup: Backup): Row {
  const { name, kind = 'embedded', startedAt, bytes, counts, hasSecret } = backup
  const { verifiedAt, failedAt, failure } = backup
  return {
    backup: name,
    ...(kind !== 'embedded' && { kind }),
    started_at: startedAt,
    megabytes: Math.round(bytes / 1e6),
    contacts: counts.contacts,
    secret: hasSecret ? 'sealed' : 'left out',
    verified_at: verifiedAt,
    ...(!isGood(backup) && { failed_at: failedAt, failure }),
  }
}

export async function restoreInto(
  config: Config,
  wanted: {
    source: string
    at?: string | undefined
    /** The folder of a server that the copy of one becomes. */
    to?: string | undefined
    passphrase?: string | undefined
  },
  parts: { clock: Clock; log: Log; say: (line: string) => void },
): Promise<Row> {
  const { backup, ...made } = await restore({
    clock: parts.clock,
    log: parts.log,
    say: parts.say,
    source: await openSource(wanted.source, config.bucketAccess),
    at: timeOf(wanted.at),
    dataDir: config.dataDir,
    databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
    folder: wanted.to,
    secret: config.secret,
    passphrase: wanted.passphrase ?? config.backupPassphrase,
    ledger: config.ledgerTo && openLedger(config.ledgerTo),
    uploads: uploadsFolder(config),
  })
  return { backup, ...restoredRow(made) }
}

function restoredRow({ point, optOuts, campaigns }: MadeSafe): Row {
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
  const exists = isExistingDay(text.slice(0, 10)) && !Number.isNaN(at.getTime())
  if (hasZone && exists) return at
  throw refuse(
    'invalid_request',
    `--at must be a time with its zone, such as 2026-11-24T09:30:00Z, not "${text}".`,
  )
}
