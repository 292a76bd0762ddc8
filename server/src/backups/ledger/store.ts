/** Where the ledger of opt-outs is kept. */
import type { OptOut } from '../../contacts/opt-outs.ts'

export interface LedgerStore {
  isThere(): Promise<boolean>
  read(): Promise<OptOut[]>
  /** The entries are stored when this resolves. */
  append(entries: readonly OptOut[]): Promise<void>
}

/** Reads every line that parses. A last line that a crash cut off is ignored. */
export function parseEntries(text: string): OptOut[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as OptOut]
    } catch {
      return []
    }
  })
}

export const entryLines = (entries: readonly OptOut[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
