/** Stores files in a folder of this machine. */

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { FileMissing, type Files } from './files.ts'

/** The ending of the name of a file that is being written. */
const partEnding = '.part'

/** Bytes read at once where a whole file is hashed. */
const blockSize = 256 * 1024

/** Names are ids, separated by a slash, so they never lead out of the folder. */
export function createDiskFiles(folder: string): Files {
  const pathOf = (name: string) => {
    if (!/^[0-9a-z-]+(?:\/[0-9a-z-]+)*$/.test(name)) throw new Error('a file has a strange name')
    return path.join(folder, name)
  }
  return {
    async write(name, source) {
      const target = pathOf(name)
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      // The name is unique, so that two uploads to one address do not write into each other.
      const part = `${target}.${randomUUID()}${partEnding}`
      try {
        await using file = await open(part, 'wx', 0o600)
        for await (const bytes of source) await file.writeFile(bytes)
        await file.sync()
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      await rename(part, target)
    },

    async *read(name, from = 0) {
      try {
        yield* createReadStream(pathOf(name), { start: from })
      } catch (error) {
        throw isMissing(error) ? new FileMissing(name) : error
      }
    },

    // One buffer serves the whole file: those of a stream are garbage that piles up to 70 MB.
    async sha256(name) {
      try {
        await using file = await open(pathOf(name))
        const hash = createHash('sha256')
        const buffer = Buffer.allocUnsafe(blockSize)
        for (;;) {
          const { bytesRead } = await file.read(buffer, 0, blockSize)
          if (bytesRead === 0) return hash.digest()
          hash.update(buffer.subarray(0, bytesRead))
        }
      } catch (error) {
        throw isMissing(error) ? new FileMissing(name) : error
      }
    },

    async remove(name) {
      const target = pathOf(name)
      const start = `${path.basename(target)}.`
      const names = await readdir(path.dirname(target)).catch(() => [])
      const parts = names.filter((text) => text.startsWith(start) && text.endsWith(partEnding))
      for (const part of parts) await rm(path.join(path.dirname(target), part), { force: true })
      await rm(target, { force: true })
    },
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
