/** Makes a backup beside the running service: database, facts, uploads and the sealed secret. */
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readRootSeals } from '../../core/installation/root-key.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { packLines, seenName } from '../ledger/line-hashes.ts'
import type { LedgerStore } from '../ledger/store.ts'
import { type Backup, type BackupFacts, writeFacts } from '../model/backup.ts'
import { readCounts, readSize } from '../model/facts-queries.ts'
import { sealSecret } from '../model/passphrase.ts'
import { packUploads } from '../model/uploads.ts'
import type { BackupPlace, Progress } from '../places/place.ts'
import { type BackupSource, contentOf, isVerified } from './source.ts'

export interface TakeDeps {
  db: Db
  source: BackupSource
  clock: Clock
  backupPlace: BackupPlace
  secret: string
  /** Seals the secret. Without a passphrase, the backup does not contain the secret. */
  passphrase: string | undefined
  /** The ledger that the service keeps. Undefined where it keeps none. */
  ledger?: LedgerStore | undefined
  /** The folder of uploads, if they are on a disk of this machine. */
  uploads: string | undefined
  onProgress?: Progress
}

export interface BackupResult {
  backup: Backup
  /** Why this machine could not verify it; undefined where it did. */
  unverified?: string | undefined
}

/** Makes a backup, which is kept only when it is complete, and verified where this machine can do that. */
export async function takeBackup(deps: TakeDeps): Promise<BackupResult> {
  const { db, source, clock, backupPlace, secret, passphrase, onProgress = () => {} } = deps
  const startedAt = clock.now()
  await refuseFullDisk(source.home, await readSize(db))
  const folder = await backupPlace.workshop(source.home, startedAt)
  let disk = path.dirname(folder)
  try {
    await mkdir(folder, { mode: 0o700 })
    await keepSeenLines(deps.ledger, folder)
    const content = await source.make({ folder, startedAt, onProgress })
    // A dump shows the database as it was when it began, a copy as it was when it ended.
    const endedAt = content.kind === 'dump' ? startedAt : clock.now()
    const facts: BackupFacts = {
      ...content,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt.toISOString(),
      counts: await readCounts(db),
      hasSecret: passphrase !== undefined,
      verifiedAt: null,
      rootSeals: await readRootSeals(db),
    }
    await packUploads(deps.uploads, folder)
    if (passphrase !== undefined) await sealSecret(folder, secret, passphrase)
    const packed = createReadStream(path.join(folder, contentOf(facts)))
    disk = source.home
    const result = await source.verify(facts, packed)
    packed.destroy()
    disk = path.dirname(folder)
    const verified = { ...facts, verifiedAt: isVerified(result) ? result.verifiedAt : null }
    await writeFacts(folder, verified)
    const backup = await backupPlace.keep(folder, verified, onProgress)
    return isVerified(result) ? { backup } : { backup, unverified: result.why }
  } catch (error) {
    throw isFullDisk(error) ? noRoomLeft(disk, error) : error
  } finally {
    if (existsSync(folder)) await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Every line that the ledger has now is of a row that the copy will hold. A ledger that cannot be
 * read ends no backup: a restore of it then goes by times.
 */
async function keepSeenLines(ledger: LedgerStore | undefined, folder: string): Promise<void> {
  const lines = await ledger?.read().catch(() => undefined)
  if (!lines) return
  await writeFile(path.join(folder, seenName), packLines(lines), { mode: 0o600, flush: true })
}

const isFullDisk = (error: unknown): error is NodeJS.ErrnoException =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code))

/** The code stays, because the log of a nightly backup holds no message. */
const noRoomLeft = (disk: string, { code }: NodeJS.ErrnoException) =>
  Object.assign(
    new StartError(
      `${disk} has no room left for a backup, so none was made and nothing of it stays. Make room there.`,
    ),
    { code },
  )

/** The copy that is verified is unpacked beside the database, which a full disk would stop. */
export async function refuseFullDisk(home: string, databaseBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(home)
  const [free, needed] = [bavail * bsize, 1.5 * databaseBytes + 100_000_000]
  if (free >= needed) return
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
  throw new StartError(
    `A backup needs ${gigabytes(needed)} GB free in ${home}, where its copy is verified, and ${gigabytes(free)} GB are. Make room there.`,
  )
}
