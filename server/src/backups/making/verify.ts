/**
 * Verifies a backup by starting its copy. The copy is unpacked beside the database, runs on a
 * socket of its own, and answers the queries that a restored service depends on.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { openVault } from '../../core/installation/root-key.ts'
import { startCopy, unpackBackup } from '../../lib/backup/copy.ts'
import { openDatabase } from '../../lib/db/db.ts'
import { StartError } from '../../lib/db/start-error.ts'
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

/** Throws a StartError that says what is wrong with the backup. */
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
    await unpackBackup(packed, data, account)
    const log = path.join(room, 'postgres.log')
    // The copy runs without the archive, which must not receive what the copy writes.
    const cluster = { ...own.cluster, data, run, log, archive: undefined }
    const copy = await startCopy(cluster)
    try {
      const db = openDatabase({ connection: copy.connection, poolSize: 1 })
      try {
        const counts = await readCounts(db)
        refuseOther(facts.counts, counts)
        await openVault(db, secret, clock.now())
        const newest = await readNewest(db)
        return { counts, newest, verifiedAt: clock.now().toISOString() }
      } finally {
        await db.end()
      }
    } finally {
      await copy.stop()
    }
  } finally {
    await rm(room, { recursive: true, force: true, maxRetries: 3 })
    await rm(run, { recursive: true, force: true })
  }
}

/** The tolerated difference in rows, because rows come and go while the backup is made. */
const tolerance = (counted: number) => 1_000 + counted / 100

function refuseOther(wanted: Facts, found: Facts): void {
  for (const key of Object.keys(wanted) as (keyof Facts)[]) {
    const allowed = key === 'migrations' ? 0 : tolerance(wanted[key])
    if (Math.abs(wanted[key] - found[key]) <= allowed) continue
    throw new StartError(
      `The copy holds ${found[key]} ${key} and the database ${wanted[key]}: this backup is not used. Make another one, and see the disk if that fails as well.`,
    )
  }
}
