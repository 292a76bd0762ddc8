/**
 * Verifies a backup by starting its copy. The copy is unpacked beside the database, runs on a
 * socket of its own, and answers the queries that a restored service depends on.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { openVault } from '../../core/installation/root-key.ts'
import { startCopy, unpackBackup } from '../../lib/backup/copy.ts'
import { tarName } from '../../lib/backup/copy-files.ts'
import { openDatabase } from '../../lib/db/db.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Db } from '../../lib/db/types.ts'
import { privateFolder } from '../../lib/postgres/home.ts'
import { partialName } from '../../lib/postgres/leftovers.ts'
import type { OwnServer } from '../../lib/postgres/open.ts'
import { shortFolder } from '../../lib/postgres/socket-folder.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { BackupFacts } from '../model/backup.ts'
import { type Facts, readCounts, readNewest } from '../model/facts-queries.ts'

export interface Verified {
  counts: Facts
  /** The time of the newest event in the copy; null if it has none. */
  newest: Date | null
  verifiedAt: string
}

interface VerifyDeps {
  own: Pick<OwnServer, 'cluster' | 'home'>
  clock: Clock
  secret: string
  facts: BackupFacts
  /** The backup's packed data folder. */
  packed: AsyncIterable<Uint8Array>
}

/** What is wrong is in the backup, and not with this machine, its disk or the secret. */
export class BackupFault extends StartError {}

/** Throws a BackupFault that says what is wrong with the backup. */
export async function verifyCopy({
  own,
  clock,
  secret,
  facts,
  packed,
}: VerifyDeps): Promise<Verified> {
  const { account } = own.cluster
  const room = privateFolder(partialName(own.home, 'verify'), account)
  const data = path.join(room, 'data')
  const run = shortFolder(account)
  try {
    await unpackBackup(packed, data, account).catch(refuseDamaged)
    const log = path.join(room, 'postgres.log')
    // The copy runs without the archive, which must not receive what the copy writes.
    const cluster = { ...own.cluster, data, run, log, archive: undefined, memory: undefined }
    const copy = await startCopy(cluster).catch(refuseUnstarted)
    try {
      return await checkCopy(copy.connection, { clock, secret, facts })
    } finally {
      await copy.stop()
    }
  } finally {
    await rm(room, { recursive: true, force: true, maxRetries: 3 })
    await rm(run, { recursive: true, force: true })
  }
}

/** Looks through a copy that answers, and compares it with what its database had. */
export async function checkCopy(
  connection: pg.ClientConfig,
  { clock, secret, facts }: Pick<VerifyDeps, 'clock' | 'secret' | 'facts'>,
): Promise<Verified> {
  const db = openDatabase({ connection, poolSize: 1 })
  try {
    const { counts, newest } = await readCopy(db, clock.now()).catch((error: Error) => {
      throw new BackupFault(`The copy of the database cannot be read: ${error.message}`)
    })
    refuseOther(facts.counts, counts)
    await openVault(db, secret, clock.now())
    return { counts, newest, verifiedAt: clock.now().toISOString() }
  } finally {
    await db.end()
  }
}

const readCopy = async (db: Db, now: Date) => ({
  counts: await readCounts(db),
  newest: await readNewest(db, now),
})

export function refuseUnstarted(error: Error): never {
  throw isOfMachine(error.message) ? error : new BackupFault(error.message)
}

/** A file that cannot be unpacked is damaged; a full disk, or a bucket that is away, is no fault of it. */
export function refuseDamaged(error: Error & { syscall?: string; code?: string }): never {
  const isRead = error.syscall === undefined || error.code === 'EIO'
  if (error instanceof StartError || !isRead) throw error
  throw new BackupFault(`Its file ${tarName} is damaged: ${error.message}`)
}

/** What PostgreSQL's log says where the machine lacks room or memory. */
const isOfMachine = (message: string): boolean =>
  ['No space left on device', 'Disk quota exceeded', 'Cannot allocate memory'].some((text) =>
    message.includes(text),
  )

/** The tolerated difference in rows, because rows come and go while the backup is made. */
const tolerance = (counted: number) => 1_000 + counted / 100

function refuseOther(wanted: Facts, found: Facts): void {
  for (const key of Object.keys(wanted) as (keyof Facts)[]) {
    const allowed = key === 'migrations' ? 0 : tolerance(wanted[key])
    if (Math.abs(wanted[key] - found[key]) <= allowed) continue
    throw new BackupFault(
      `The copy holds ${found[key]} ${key} and the database ${wanted[key]}: this backup is not used. Make another one, and see the disk if that fails as well.`,
    )
  }
}
