/** One request to a bucket: signed, retried where that may help, with refusals reported by code. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Credentials, encodePath, encodeQuery, sha256Hex, signedHeaders } from './signature.ts'

export interface Bucket {
  /** The service's origin. The bucket is the first part of the path, which all services accept. */
  endpoint: string
  region: string
  name: string
  credentials: Credentials
}

export interface BucketRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Empty for the bucket itself. */
  key: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
}

export interface BucketAnswer {
  status: number
  headers: Headers
  bytes: Buffer
}

/** The bucket's service refused the request or did not answer. */
export class BucketError extends Error {
  override name = 'BucketError'
  /** Such as NoSuchKey or SignatureDoesNotMatch; `unreachable` where no server answered. */
  readonly code: string
  readonly status: number

  constructor(
    code: string,
    { status, method }: { status: number; method: string },
    cause?: unknown,
  ) {
    super(`the bucket answered ${method} with ${code} (${status})`, { cause })
    this.code = code
    this.status = status
  }
}

/** Milliseconds before each retry. */
const pauses = [200, 1_000, 3_000]
/** Milliseconds for a request without a body, and the slowest uplink that is waited for. */
const timeoutMs = 60_000
const slowestBytesPerSecond = 32 * 1024
/** The most characters of an error's text, which is XML. */
const longestError = 10_000

export async function askBucket(bucket: Bucket, request: BucketRequest): Promise<BucketAnswer> {
  for (let attempt = 0; ; attempt++) {
    const pause = pauses[attempt]
    try {
      const answer = await exchange(bucket, request)
      if (answer.status < 300) return answer
      throw errorOf(answer, request.method)
    } catch (error) {
      const failed =
        error instanceof BucketError
          ? error
          : new BucketError('unreachable', { status: 0, method: request.method }, error)
      if (!isPassing(failed) || pause === undefined) throw failed
      await sleep(pause)
    }
  }
}

async function exchange(bucket: Bucket, request: BucketRequest): Promise<BucketAnswer> {
  const { method, key, query = {}, headers = {}, body } = request
  const url = new URL(bucket.endpoint)
  url.pathname = encodePath(`/${bucket.name}${key === '' ? '' : `/${key}`}`)
  url.search = encodeQuery(query)
  const toSign = { method, url, headers, bodyHash: sha256Hex(body ?? '') }
  const response = await fetch(url, {
    method,
    headers: signedHeaders(toSign, { ...bucket, now: new Date() }),
    ...(body && { body: Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, body.length) }),
    // A bucket of another region answers with a redirect, which would need another signature.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs + bodyMs(body)),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

function errorOf({ status, bytes }: BucketAnswer, method: string): BucketError {
  const code = elementOf(bytes.toString('utf8', 0, longestError), 'Code')
  return new BucketError(code ?? `status ${status}`, { status, method })
}

const bodyMs = (body: Uint8Array | undefined) =>
  Math.ceil((1000 * (body?.length ?? 0)) / slowestBytesPerSecond)

const isPassing = ({ status }: BucketError) => status === 0 || status === 429 || status >= 500

/** The text of the first element with this name. */
export function elementOf(xml: string, name: string): string | undefined {
  return elementsOf(xml, name)[0]
}

export function elementsOf(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`]
  return xml
    .split(open)
    .slice(1)
    .map((rest) => unescaped(rest.slice(0, Math.max(0, rest.indexOf(close)))))
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

const unescaped = (text: string) =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
