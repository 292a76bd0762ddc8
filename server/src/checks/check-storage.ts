/** Checks whether the bucket of files responds and accepts the key. Nothing is written into it. */
import type { Config } from '../config.ts'
import { createBucketClient } from '../lib/s3/bucket-client.ts'
import { BucketError } from '../lib/s3/request.ts'
import { type Finding, fail, ok } from './finding.ts'

export async function storageFinding({ storage }: Pick<Config, 'storage'>): Promise<Finding> {
  if (storage === undefined) return ok('files', 'in DATA_DIR, for one node')
  if (storage.kind === 'folder') return ok('files', `in ${storage.folder}, for nodes that share it`)
  const { bucket, prefix } = storage
  const bucketName = `bucket ${bucket.name} at ${new URL(bucket.endpoint).host}`
  try {
    await createBucketClient(bucket).list(prefix).next()
    return ok('files', `${bucketName} answers and accepts the key`)
  } catch (error) {
    if (!(error instanceof BucketError)) throw error
    return fail('files', `${bucketName} does not work (${error.code})`, mend)
  }
}

const mend =
  'Check STORAGE_URL, AWS_REGION, AWS_ENDPOINT_URL_S3 and the access key; the key may need permission to list the bucket.'
