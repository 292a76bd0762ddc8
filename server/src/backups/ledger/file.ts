/** The ledger on disk: one line per opt-out, synced to disk before the next read of opt-outs. */
import { existsSync } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { entryLines, type LedgerStore, parseEntries } from './store.ts'

export function fileLedger(file: string): LedgerStore {
  return {
    isThere: async () => existsSync(file),

    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      return parseEntries(text)
    },

    async append(entries) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const handle = await open(file, 'a', 0o600)
      try {
        // The leading line break ends a line that a crash cut off, so that the next line is not lost.
        await handle.write(`\n${entryLines(entries)}`)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}
