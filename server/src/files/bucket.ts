/** Stores files as objects of a bucket, with a common prefix before their names. */

import { createHash } from 'node:crypto'
import { type BucketClient, createBucketClient } from '../lib/s3/bucket-client.ts'
import { type Bucket, BucketError } from '../lib/s3/request.ts'
import { FileMissing, type Files } from './files.ts'

export interface BucketPlace {
  bucket: Bucket
  /** Empty, or ending with a slash. */
  prefix: string
}

export function createBucketFiles({ bucket, prefix }: BucketPlace): Files {
  const client: BucketClient = createBucketClient(bucket)
  const keyOf = (name: string) => prefix + name
  const files: Files = {
    write: (name, source) => client.write(keyOf(name), source),

    async *read(name, from = 0) {
      try {
        yield* client.read(keyOf(name), from)
      } catch (error) {
        const isMissing = error instanceof BucketError && error.code === 'NoSuchKey'
        throw isMissing ? new FileMissing(name) : error
      }
    },

    async sha256(name) {
      const hash = createHash('sha256')
      for await (const bytes of files.read(name)) hash.update(bytes)
      return hash.digest()
    },

    remove: (name) => client.remove(keyOf(name)),
  }
  return files
}
