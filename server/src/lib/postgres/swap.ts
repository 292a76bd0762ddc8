/**
 * Puts a converted cluster in the place of the old one. Two renames are not one: whoever starts
 * after a crash between them completes the second. No server may run in a folder that gets another
 * name: it would go on writing to some of its files by their old paths.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { isLocked } from '../concurrency/journal-lock.ts'
import { StartError } from '../db/start-error.ts'

/** In a cluster that is complete and may become the database. */
const marker = 'crier-converted'
export const convertedName = 'converted'

/** Marks a stopped cluster as complete. */
export async function markConverted(folder: string): Promise<void> {
  writeFileSync(path.join(folder, marker), '', { flush: true })
  await syncFolder(folder)
}

/** Held as long as a conversion runs: no server may be started meanwhile. */
export const conversionLock = (home: string): string => path.join(home, 'conversion')

export async function refuseWhileConverted(home: string): Promise<void> {
  if (!(await isLocked(conversionLock(home)))) return
  throw new StartError(
    'The database is being converted to another version of PostgreSQL. Start again when crier upgrade-database has ended.',
  )
}

/** Completes a swap that was cut off after its first rename. */
export function completeSwap(home: string): void {
  const data = path.join(home, 'data')
  const [converted, ...more] = readdirSync(home).filter(
    (name) => name.startsWith(`${convertedName}.`) && existsSync(path.join(home, name, marker)),
  )
  if (existsSync(data)) {
    // It was never put in place, and misses what was written since.
    for (const name of converted === undefined ? [] : [converted, ...more]) {
      rmSync(path.join(home, name), { recursive: true, force: true, maxRetries: 3 })
    }
    return
  }
  if (converted === undefined) {
    refuseWithout(home)
    return
  }
  try {
    renameSync(path.join(home, converted), data)
  } catch (error) {
    // Another start was faster.
    if (!existsSync(data)) throw error
  }
  rmSync(path.join(data, marker), { force: true })
}

/** An empty database must not begin where only the old one of a conversion is left. */
function refuseWithout(home: string): void {
  const old = readdirSync(home).find((name) => name.startsWith('data-'))
  if (old === undefined) return
  throw new StartError(
    `${home} holds ${old}, the database from before a conversion, and no database. Rename it to data to go back to it, or move it away to begin anew.`,
  )
}

/** Keeps the old cluster under a name of its own, which is returned. */
export async function swapClusters(
  home: string,
  { major, onRenamed }: { major: number; onRenamed: () => void },
): Promise<string> {
  const plain = path.join(home, `data-${major}`)
  const old = existsSync(plain) ? `${plain}-${Date.now()}` : plain
  renameSync(path.join(home, 'data'), old)
  onRenamed()
  completeSwap(home)
  await syncFolder(home)
  return old
}

/** Without this a power cut could lose a rename. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
