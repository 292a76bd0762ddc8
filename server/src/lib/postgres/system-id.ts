/** Which cluster a data folder holds: initdb gives each a number, which copies of it share. */
import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'

/** The number is the first of the control file. Undefined where there is no cluster. */
export function systemIdOf(data: string): string | undefined {
  let file: number
  try {
    file = openSync(path.join(data, 'global', 'pg_control'), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(8)
    readSync(file, bytes, 0, 8, 0)
    return bytes.readBigUInt64LE().toString()
  } finally {
    closeSync(file)
  }
}
