/** Small files for one user only, beside the connections: written completely or not at all. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Undefined where the file does not exist. */
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

/** The file's content, created now if missing. Of several simultaneous creations one wins. */
export async function readOrMake(file: string, make: () => string): Promise<string> {
  const known = await readText(file)
  if (known !== undefined) return known
  const beside = await writeBeside(file, make())
  try {
    // Unlike a rename, a link does not replace an existing file.
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
