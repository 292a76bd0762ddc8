/** What every restore needs and ends with, whatever the backup holds. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openVault } from '../../core/installation/root-key.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { seenName } from '../ledger/line-hashes.ts'
import type { LedgerStore } from '../ledger/store.ts'
import { unpackUploads, uploadsName } from '../model/uploads.ts'
import type { Source } from '../places/open.ts'
import type { Chosen } from './choose.ts'
import { type MadeSafe, makeSafe } from './make-safe.ts'

export interface RestoreOptions {
  source: Source
  /** The moment to restore; by default the last one in the archive. */
  at?: Date | undefined
  dataDir: string
  /** DATABASE_DIRECT_URL, else DATABASE_URL, if one is set: the empty database that a dump is restored to. */
  databaseUrl?: string | undefined
  /** The folder of a server that the copy of one becomes. */
  folder?: string | undefined
  /** CRIER_SECRET, if it is set. */
  secret: string | undefined
  passphrase: string | undefined
  /** The ledger of opt-outs; by default the one beside the backups. */
  ledger?: LedgerStore | undefined
  /** The folder for uploads; undefined if they are in a bucket. */
  uploads?: string | undefined
  clock: Clock
  log: Log
  say: (line: string) => void
}

export interface Restored extends MadeSafe {
  backup: string
}

export async function fileOf({ backup, backupPlace }: Chosen, file: string) {
  const content = await backupPlace.read(backup.name, file)
  if (content) return content
  throw new StartError(
    `The backup ${backup.name} in ${backupPlace.name} has lost its file ${file}. Name another backup.`,
  )
}

/** Holds all sending, and applies the opt-outs since the backup, before a service may start. */
export async function safely(
  db: Database,
  { clock, at, ledger }: RestoreOptions,
  { chosen, secret }: { chosen: Chosen; secret: string },
): Promise<Restored> {
  const { backup, backupPlace } = chosen
  const now = clock.now()
  const vault = await openVault(db, secret, now)
  const outcome = await makeSafe(db, {
    now,
    hmac: vault.hmac,
    ledger: ledger ?? backupPlace.ledger,
    seen: await seenLines(chosen),
    endedAt: new Date(backup.endedAt),
    at,
  })
  return { backup: backup.name, ...outcome }
}

async function seenLines({ backup, backupPlace }: Chosen): Promise<Buffer | undefined> {
  const packed = await backupPlace.read(backup.name, seenName)
  return packed && Buffer.concat(await Array.fromAsync(packed))
}

/** The secret, where no setting names it, and the uploads. */
export async function putBeside(
  options: RestoreOptions,
  { chosen, secret }: { chosen: Chosen; secret: string },
): Promise<void> {
  await keepSecretFile(options, secret)
  const { backup, backupPlace } = chosen
  const uploads = await backupPlace.read(backup.name, uploadsName)
  if (uploads && options.uploads !== undefined) await unpackUploads(uploads, options.uploads)
}

async function keepSecretFile({ dataDir, secret: setting }: RestoreOptions, secret: string) {
  const file = path.join(dataDir, 'secret')
  if (setting !== undefined || existsSync(file)) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
}
