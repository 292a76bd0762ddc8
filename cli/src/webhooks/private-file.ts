/** Small files for one user's eyes, beside the connections: there whole, or not at all. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Undefined where there is none. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export async function writeText(file: string, text: string): Promise<void> {
  await rename(await writeBeside(file, text), file)
}

/** What the file holds, or what is made for it now: of several who make it at once, one wins. */
export async function readOrMake(file: string, make: () => string): Promise<string> {
  const known = await readText(file)
  if (known !== undefined) return known
  const beside = await writeBeside(file, make())
  try {
    // Unlike a rename, a link leaves alone what is there.
    await link(beside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(beside)
  }
  return readFile(file, 'utf8')
}

async function writeBeside(file: string, text: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${randomBytes(6).toString('hex')}.new`
  await writeFile(beside, text, { mode: 0o600, flag: 'wx' })
  return beside
}
