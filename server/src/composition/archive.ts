/** Sends the embedded database's log to the bucket that BACKUP_TO names. */
import { archiveOf } from '../backups/archiving/archive.ts'
import type { ArchiveSender } from '../backups/archiving/send-archive.ts'
import type { AppParts } from './app-parts.ts'

export interface Archive {
  start(): Promise<void>
  stop(): Promise<void>
}

/** Does nothing if the archive is a folder, or the database is external. */
export function createArchive({ config, log, backup }: AppParts): Archive {
  const { backupTo: settings } = config
  let sender: ArchiveSender | undefined
  return {
    async start() {
      const spool = archiveOf(config)
      if (!backup || settings?.kind !== 'bucket' || spool === undefined) return
      const { createArchiveSender } = await import('../backups/archiving/send-archive.ts')
      sender = createArchiveSender({ spool, settings, log })
      sender.start()
    },
    stop: async () => sender?.stop(),
  }
}
