/** Files that only one user can read: mode 0600, replaced completely or not at all. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { CrierError } from '../errors/error.ts'

/** The file's bytes; undefined if it is missing. Refuses a file that others can read. */
export async function readPrivate(file: string): Promise<Buffer | undefined> {
  try {
    const { mode } = await stat(file)
    // Windows has no such bits; there the access list of the profile folder protects the file.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CrierError({
        code: 'store_unreadable',
        message: `${file} can be read by others, so its contents count as known. Run "chmod 600 ${file}", then sign in again.`,
      })
    }
    return await readFile(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Writes beside the file, syncs, renames over it and syncs the folder. After a crash the file is
 * either the old one or the new one. Callers exclude each other.
 */
export async function writePrivate(file: string, bytes: Buffer): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftovers(file)
  const beside = `${file}.${randomBytes(6).toString('hex')}.new`
  const handle = await open(beside, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(beside, file)
  await syncFolder(folder)
}

/** Removes the file if it exists. */
export async function removePrivate(file: string): Promise<void> {
  try {
    await unlink(file)
    await syncFolder(path.dirname(file))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Whether an error of the file system means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** The temporary file of a writer that died before its rename. It contains only encrypted bytes. */
async function removeLeftovers(file: string): Promise<void> {
  const name = path.basename(file)
  for (const entry of await readdir(path.dirname(file))) {
    if (entry.startsWith(`${name}.`) && entry.endsWith('.new')) {
      await removePrivate(path.join(path.dirname(file), entry))
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its rename is durable with the file's own sync.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
