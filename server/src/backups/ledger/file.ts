/** The ledger on disk: a line a "no", each synced before the next one is asked for. */
import { open, readFile } from 'node:fs/promises'
import type { OptOut } from '../../contacts/opt-outs/opt-outs.ts'

/** What can be read of it; a last line that a crash cut off is no line. */
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
    // A line that a crash cut off is ended first, or the next one would be lost with it.
    await handle.write(`\n${entries.map((one) => JSON.stringify(one)).join('\n')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
