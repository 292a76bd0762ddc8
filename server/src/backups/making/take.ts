/** Makes a backup beside the running service: database, facts, uploads and the sealed secret. */
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { takeBaseBackup } from '../../lib/backup/base-backup.ts'
import type { Db } from '../../lib/db/types.ts'
import { isAlive } from '../../lib/postgres/leftovers.ts'
import type { OwnServer } from '../../lib/postgres/open.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Backup, type BackupFacts, nameOf, readBackup, writeFacts } from '../model/backup.ts'
import { readCounts } from '../model/facts-queries.ts'
import { sealSecret } from '../model/passphrase.ts'
import { packUploads } from '../model/uploads.ts'
import { verifyBackup } from './verify.ts'

export interface TakeDeps {
  db: Db
  own: OwnServer
  clock: Clock
  /** The folder of all backups. */
  folder: string
  secret: string
  /** Seals the secret. Without a passphrase, the backup does not contain the secret. */
  passphrase: string | undefined
  /** The folder of uploads, if they are on a disk of this machine. */
  uploads: string | undefined
  onProgress?: (done: number, of: number) => void
}

/** Makes a backup, which gets its name only when it is complete and verified. */
export async function takeBackup(deps: TakeDeps): Promise<Backup> {
  const { db, own, clock, folder, secret, passphrase, onProgress } = deps
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeUnfinished(folder)
  const startedAt = clock.now()
  const name = nameOf(startedAt)
  const partial = path.join(folder, `.${name}.${process.pid}.partial`)
  await mkdir(partial, { mode: 0o700 })
  try {
    const base = await takeBaseBackup({
      connection: own.superuser,
      folder: partial,
      label: `crier ${name}`,
      ...(onProgress && { onProgress }),
    })
    const facts: BackupFacts = {
      ...base,
      postgres: own.cluster.binaries.major,
      startedAt: startedAt.toISOString(),
      endedAt: clock.now().toISOString(),
      counts: await readCounts(db),
      hasSecret: passphrase !== undefined,
      verifiedAt: null,
    }
    await packUploads(deps.uploads, partial)
    if (passphrase !== undefined) await sealSecret(partial, secret, passphrase)
    await writeFacts(partial, facts)
    await verifyBackup({ own, clock, secret, folder: partial })
    const whole = freeName(folder, startedAt)
    await rename(partial, whole)
    await syncFolder(folder)
    return (await readBackup(whole)) as Backup
  } finally {
    if (existsSync(partial)) await rm(partial, { recursive: true, force: true })
  }
}

/** Deletes partial backups of processes that died. Another process may be making one right now. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, , pid = '', end] = name.split('.')
    if (end !== 'partial' || isAlive(Number(pid))) continue
    await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/** Finds a free name. Of two backups that began in the same second, one gets the next second. */
function freeName(folder: string, startedAt: Date): string {
  for (let at = startedAt.getTime(); ; at += 1_000) {
    const whole = path.join(folder, nameOf(new Date(at)))
    if (!existsSync(whole)) return whole
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
