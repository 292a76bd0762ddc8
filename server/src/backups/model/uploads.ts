/** Uploads within a backup: a packed copy of the folder in which this installation stores files. */
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'

export const uploadsName = 'files.tar.zst'

/** Packs nothing if there is no folder: no file was uploaded, or the files are in a bucket. */
export async function packUploads(folder: string | undefined, backup: string): Promise<void> {
  if (folder === undefined || !existsSync(folder)) return
  const { create } = await import('tar')
  // A file that is still being uploaded is incomplete. The next backup contains it.
  const filter = (name: string) => !name.endsWith('.part')
  const out = createWriteStream(path.join(backup, uploadsName), { mode: 0o600, flush: true })
  await pipeline(create({ cwd: folder, portable: true, filter }, ['.']), createZstdCompress(), out)
}

/** Unpacks the uploads. A file that exists already stays as it is. */
export async function unpackUploads(
  packed: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<number> {
  const { extract } = await import('tar')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let files = 0
  await pipeline(
    packed,
    createZstdDecompress(),
    extract({
      cwd: folder,
      preserveOwner: false,
      strict: true,
      keep: true,
      onReadEntry: (entry) => {
        if (entry.type === 'File') files++
      },
    }),
  )
  return files
}
