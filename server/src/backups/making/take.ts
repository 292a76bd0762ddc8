/** Makes a backup beside the running service: the database, its facts, and the sealed secret. */
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
  /** Without it the secret is left out. */
  passphrase: string | undefined
  /** The folder of uploads, where they lie on a disk of this machine. */
  uploads: string | undefined
  onProgress?: (done: number, of: number) => void
}

/** Whole, verified and under its name, or not there at all. */
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

/** Of makers that died; another one may be at work at this moment. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, , pid = '', end] = name.split('.')
    if (end !== 'partial' || isAlive(Number(pid))) continue
    await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/** Two that were begun in the same second are told apart by the next one. */
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
