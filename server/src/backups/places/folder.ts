/** Backups in a folder: one folder each, which gets its name when the backup is complete. */
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { isAlive } from '../../lib/postgres/leftovers.ts'
import { fileLedger } from '../ledger/file.ts'
import {
  type Backup,
  freeName,
  isBackupName,
  ledgerName,
  nameOf,
  newestFirst,
  readFacts,
  walFolder,
  writeFacts,
} from '../model/backup.ts'
import type { BackupPlace } from './place.ts'

export function folderPlace(folder: string): BackupPlace {
  const archive = path.join(folder, walFolder)
  return {
    name: folder,
    ledger: fileLedger(path.join(folder, ledgerName)),

    async list() {
      const names = await readdir(folder).catch(() => [])
      const found = await Promise.all(
        names.filter(isBackupName).map(async (name): Promise<Backup[]> => {
          const facts = await readFacts(path.join(folder, name))
          return facts ? [{ ...facts, name }] : []
        }),
      )
      return newestFirst(found.flat())
    },

    hasArchive: async (systemId) => existsSync(path.join(archive, systemId)),

    async workshop(_home, startedAt) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await removeUnfinished(folder)
      return path.join(folder, `.${nameOf(startedAt)}.${process.pid}.partial`)
    },

    async keep(made, facts) {
      const isTaken = (name: string) => existsSync(path.join(folder, name))
      const name = await freeName(new Date(facts.startedAt), isTaken)
      await rename(made, path.join(folder, name))
      await syncFolder(folder)
      return { ...facts, name }
    },

    async read(name, file) {
      const whole = path.join(folder, name, file)
      return existsSync(whole) ? createReadStream(whole) : undefined
    },

    async writeFacts({ name, ...facts }) {
      await writeFacts(path.join(folder, name), facts)
    },

    remove: (name) => rm(path.join(folder, name), { recursive: true, force: true }),

    async *archived() {
      for (const systemId of await readdir(archive).catch(() => [])) {
        const names = await readdir(path.join(archive, systemId)).catch(() => [])
        for (const name of names) yield { systemId, name }
      }
    },

    async fetchArchived({ systemId, name }, file) {
      const found = path.join(archive, systemId, name)
      if (!existsSync(found)) return false
      await copyFile(found, file)
      return true
    },

    removeArchived: ({ systemId, name }) => rm(path.join(archive, systemId, name), { force: true }),
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
