/** The ledger on disk: one line per opt-out, synced to disk before the next read of opt-outs. */
import { open, readFile } from 'node:fs/promises'
import type { OptOut } from '../../contacts/opt-outs/opt-outs.ts'

/** Reads every line that parses. A last line that a crash cut off is ignored. */
export async function readLedger(file: string): Promise<OptOut[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as OptOut]
    } catch {
      return []
    }
  })
}

export async function appendLedger(file: string, entries: readonly OptOut[]): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    // The leading line break ends a line that a crash cut off, so that the next line is not lost.
    await handle.write(`\n${entries.map((one) => JSON.stringify(one)).join('\n')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
