/** The ledger that LEDGER_TO names. What a bucket needs is loaded at its first use. */
import type { LedgerSettings } from '../../config/backup-place.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import { fileLedger } from './file.ts'
import type { LedgerStore } from './store.ts'

export function openLedger(settings: LedgerSettings): LedgerStore {
  if (settings.kind === 'file') return fileLedger(settings.file)
  const opened = lazily(async () => {
    const { bucketLedger } = await import('./bucket.ts')
    return bucketLedger(settings)
  })
  return {
    isThere: async () => (await opened.get()).isThere(),
    read: async () => (await opened.get()).read(),
    append: async (entries) => (await opened.get()).append(entries),
  }
}
