/** Opens the place where files are stored: the folder or the bucket that STORAGE_URL names. */

import path from 'node:path'
import type { Config } from '../config.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import type { BucketPlace } from './bucket.ts'
import { createDiskFiles } from './disk.ts'
import type { Files } from './files.ts'

type Place = Pick<Config, 'storage' | 'dataDir'>

export function openFiles(config: Place): Files {
  if (config.storage?.kind === 'bucket') return bucketFiles(config.storage)
  return createDiskFiles(folderOf(config))
}

/** The folder of all files on a disk; undefined if they are in a bucket. */
export function uploadsFolder(config: Place): string | undefined {
  return config.storage?.kind === 'bucket' ? undefined : folderOf(config)
}

const folderOf = ({ storage, dataDir }: Place): string =>
  storage?.kind === 'folder' ? storage.folder : path.join(dataDir, 'files')

/** The code for buckets is loaded when the first file is used. */
function bucketFiles(bucket: BucketPlace): Files {
  const opened = lazily(async () => {
    const { createBucketFiles } = await import('./bucket.ts')
    return createBucketFiles(bucket)
  })
  return {
    write: async (name, source) => (await opened.get()).write(name, source),
    async *read(name, from) {
      yield* (await opened.get()).read(name, from)
    },
    sha256: async (name) => (await opened.get()).sha256(name),
    remove: async (name) => (await opened.get()).remove(name),
  }
}
