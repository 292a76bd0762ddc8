/**
 * Sends the database's log to a bucket: each file that the server has copied out of its data folder
 * is packed, sent, and removed here. Several processes may do this at once.
 */
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { BucketSettings } from '../../config/storage.ts'
import type { Log } from '../../lib/process/log.ts'
import { createBucketClient } from '../../lib/s3/bucket-client.ts'
import { bucketFault } from '../../lib/s3/words.ts'
import { walFolder } from '../model/backup.ts'
import { filesToSend } from './archive.ts'

export interface ArchiveSender {
  start(): void
  /** Sends what waits, if the bucket takes it at once. */
  stop(): Promise<void>
}

interface SenderDeps {
  spool: string
  settings: BucketSettings
  log: Log
}

const everyMs = 1_000
/** More than a file of the log, which is one request then. */
const partBytes = 32 * 1024 * 1024
const pack = promisify(zstdCompress)

export function createArchiveSender({ spool, settings, log }: SenderDeps): ArchiveSender {
  const { bucket, prefix } = settings
  const client = createBucketClient(bucket, { partBytes })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let failures = 0

  const sendAll = async () => {
    for (const name of await filesToSend(spool)) {
      const file = path.join(spool, name)
      const whole = await readFile(file).catch(unlessGone)
      if (!whole) continue
      await client.write(`${prefix}${walFolder}/${name}.zst`, oneChunk(await pack(whole)))
      await rm(file, { force: true })
    }
  }

  const turn = () => {
    running = sendAll()
      .then(() => {
        if (failures > 0) log.info({ failures }, 'archive.sends_again')
        failures = 0
      })
      .catch((error: unknown) => {
        // An outage is one line of the log, however long it lasts.
        if (failures++ === 0) log.error({ err: bucketFault(error, bucket) }, 'archive.not_sent')
      })
      .finally(() => {
        if (timer) timer = setTimeout(turn, everyMs).unref()
      })
  }

  return {
    start() {
      timer = setTimeout(turn, 0).unref()
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await running
      if (failures > 0) return
      await sendAll().catch((error: unknown) => {
        log.error({ err: bucketFault(error, bucket) }, 'archive.not_sent')
      })
    },
  }
}

/** Another process has sent it. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function* oneChunk(bytes: Uint8Array) {
  yield bytes
}
