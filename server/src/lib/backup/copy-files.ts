/** The two files of a base backup, written one after the other as the server sends them. */
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'

export const tarName = 'base.tar.zst'
const manifestName = 'backup_manifest'

/** The bytes of a file that wait for the disk before the sender is asked to wait. */
const waitingBytes = 1024 * 1024

export interface CopyFiles {
  /** Rejects once a file cannot be written. */
  failed: Promise<never>
  /** Ends the current file and begins this one, which must not exist. */
  begin(kind: 'tar' | 'manifest'): void
  /** Returns false if the sender should wait until `onDrain`; the data is taken all the same. */
  write(data: Buffer): boolean
  /** Calls this once, when the file that was full takes more. */
  onDrain(act: () => void): void
  /** Resolves when both files are on disk. */
  end(): Promise<void>
}

export function openCopyFiles(folder: string): CopyFiles {
  const writing: Promise<void>[] = []
  let current: PassThrough | undefined
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  return {
    failed,
    begin(kind) {
      current?.end()
      current = new PassThrough({ highWaterMark: waitingBytes })
      const file = path.join(folder, kind === 'tar' ? tarName : manifestName)
      const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
      const whole =
        kind === 'tar' ? pipeline(current, createZstdCompress(), out) : pipeline(current, out)
      const synced = whole.then(() => syncFile(file))
      synced.catch(fail)
      writing.push(synced)
    },
    write: (data) => current?.write(data) ?? true,
    onDrain(act) {
      const file = current
      const takesMore = () => {
        file?.off('drain', takesMore).off('finish', takesMore)
        act()
      }
      // A stream that was ended while it was full does not emit "drain", only "finish".
      file?.on('drain', takesMore).on('finish', takesMore)
    },
    async end() {
      current?.end()
      await Promise.all(writing)
    },
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
