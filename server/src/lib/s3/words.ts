/** What a bucket's refusal means for an operator, and what to do about it. */
import { StartError } from '../db/start-error.ts'
import { type Bucket, BucketError } from './request.ts'

/** Turns a BucketError into a StartError with words; any other error stays as it is. */
export function bucketFault(error: unknown, bucket: Pick<Bucket, 'name' | 'endpoint'>): unknown {
  if (!(error instanceof BucketError)) return error
  const bucketName = `The bucket ${bucket.name} at ${new URL(bucket.endpoint).host}`
  return new StartError(`${bucketName} ${whatIsWrong(error)}`, { cause: error })
}

function whatIsWrong({ code, status, cause }: BucketError): string {
  if (code === 'unreachable') {
    const { name = '', code: reason } = innermost(cause)
    const slow = name === 'TimeoutError'
    return slow
      ? 'did not take or give a part in time. See the network, and try again at a quieter hour.'
      : `does not answer${reason ? ` (${reason})` : ''}. See AWS_ENDPOINT_URL_S3 and the network.`
  }
  if (code === 'NoSuchBucket') return 'does not exist. Create it, or name another one.'
  if (code === 'NoSuchKey') return 'has lost an object that it listed. Try again.'
  if (status === 401 || status === 403) {
    return `refuses the key (${code}). See AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION: the key must be able to read, write, list and delete.`
  }
  if (status === 429 || status >= 500) return `is overloaded or broken (${code}). Try again later.`
  return `refused a request (${code}, ${status}). See AWS_REGION and AWS_ENDPOINT_URL_S3.`
}

interface Cause {
  name?: string
  code?: string
}

/** The error of the socket, which fetch wraps in its own. */
function innermost(error: unknown): Cause {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof Error ? innermost(cause) : ((error ?? {}) as Cause)
}
