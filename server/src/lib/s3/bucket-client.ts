/**
 * Objects of a bucket, written and read as streams: no more than one part of an object is in
 * memory, whatever its size.
 */

import { askBucket, type Bucket, BucketError, elementOf, elementsOf } from './request.ts'

export interface BucketClient {
  /** Stores the whole source under this key, or nothing where `source` fails. */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Yields the bytes from `from` on; throws a BucketError with NoSuchKey for an unknown key. */
  read(key: string, from?: number): AsyncGenerator<Uint8Array>
  /** Also removes unfinished uploads of the object. Does nothing where it does not exist. */
  remove(key: string): Promise<void>
  /** Every key that begins with `prefix`, in order, with its size. */
  list(prefix: string): AsyncGenerator<{ key: string; bytes: number }>
}

export interface BucketClientOptions {
  /** Bytes of a part: at least 5 MiB. An object has at most 10,000 parts. */
  partBytes?: number
}

/** 80 GB fit into 10,000 parts of this size. */
const usualPartBytes = 8 * 1024 * 1024
/** The most bytes of one read: short requests outlast a slow reader. */
const readBytes = 4 * 1024 * 1024

export function createBucketClient(
  bucket: Bucket,
  { partBytes = usualPartBytes }: BucketClientOptions = {},
): BucketClient {
  return {
    async write(key, source) {
      const parts = inParts(source, partBytes)
      const first = await parts.next()
      const second = first.done ? first : await parts.next()
      if (second.done) {
        await askBucket(bucket, { method: 'PUT', key, body: first.value ?? Buffer.alloc(0) })
        return
      }
      await writeParts(bucket, key, joined([first.value, second.value], parts))
    },

    async *read(key, from = 0) {
      let at = from
      let version: string | undefined
      for (;;) {
        const range = `bytes=${at}-${at + readBytes - 1}`
        // A read must not continue with an object that has been replaced.
        const headers = { range, ...(version !== undefined && { 'if-match': version }) }
        const answer = await askBucket(bucket, { method: 'GET', key, headers }).catch(endOfObject)
        if (!answer || answer.bytes.length === 0) return
        yield answer.bytes
        at += answer.bytes.length
        version = answer.headers.get('etag') ?? version
        const size = Number(answer.headers.get('content-range')?.split('/')[1])
        if (answer.status !== 206 || at >= size) return
      }
    },

    async remove(key) {
      await askBucket(bucket, { method: 'DELETE', key })
      for (const uploadId of await unfinished(bucket, key)) await abort(bucket, key, uploadId)
    },

    async *list(prefix) {
      let query: Record<string, string> = { 'list-type': '2', prefix }
      for (;;) {
        const { bytes } = await askBucket(bucket, { method: 'GET', key: '', query })
        const xml = bytes.toString()
        for (const object of elementsOf(xml, 'Contents')) {
          yield { key: elementOf(object, 'Key') ?? '', bytes: Number(elementOf(object, 'Size')) }
        }
        const next = elementOf(xml, 'NextContinuationToken')
        if (next === undefined) return
        query = { ...query, 'continuation-token': next }
      }
    },
  }
}

/** A read that begins at the end, or of an empty object, has no bytes to return. */
function endOfObject(error: unknown): undefined {
  if (error instanceof BucketError && error.status === 416) return undefined
  throw error
}

async function writeParts(
  bucket: Bucket,
  key: string,
  parts: AsyncIterable<Buffer>,
): Promise<void> {
  const begun = await askBucket(bucket, { method: 'POST', key, query: { uploads: '' } })
  const uploadId = elementOf(begun.bytes.toString(), 'UploadId')
  if (!uploadId) throw new Error('the bucket began an upload without an id')
  try {
    const tags: string[] = []
    for await (const body of parts) {
      const query = { partNumber: String(tags.length + 1), uploadId }
      const { headers } = await askBucket(bucket, { method: 'PUT', key, query, body })
      tags.push(headers.get('etag') ?? '')
    }
    await complete(bucket, key, { uploadId, tags })
  } catch (error) {
    // The original error counts, not a failure to remove the unfinished upload.
    await abort(bucket, key, uploadId).catch(() => undefined)
    throw error
  }
}

async function complete(
  bucket: Bucket,
  key: string,
  { uploadId, tags }: { uploadId: string; tags: readonly string[] },
): Promise<void> {
  const list = tags.map(
    (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  )
  const xml = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
  const body = Buffer.from(xml)
  const answer = await askBucket(bucket, { method: 'POST', key, query: { uploadId }, body })
  // The service sends the status before it joins the parts, so a failure may come with a 200.
  const text = answer.bytes.toString()
  const code = text.includes('<Error>') ? elementOf(text, 'Code') : undefined
  if (code !== undefined) throw new BucketError(code, { status: answer.status, method: 'POST' })
}

async function abort(bucket: Bucket, key: string, uploadId: string): Promise<void> {
  await askBucket(bucket, { method: 'DELETE', key, query: { uploadId } })
}

/** Uploads of a killed process. Not every service lists them, and not for every access key. */
async function unfinished(bucket: Bucket, key: string): Promise<string[]> {
  try {
    const query = { uploads: '', prefix: key }
    const { bytes } = await askBucket(bucket, { method: 'GET', key: '', query })
    return elementsOf(bytes.toString(), 'Upload').flatMap((upload) =>
      elementOf(upload, 'Key') === key ? (elementOf(upload, 'UploadId') ?? []) : [],
    )
  } catch (error) {
    if (error instanceof BucketError && [403, 405, 501].includes(error.status)) return []
    throw error
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

async function* inParts(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const bytes of source) {
    pieces.push(bytes)
    length += bytes.length
    if (length < size) continue
    const whole = Buffer.concat(pieces, length)
    let at = 0
    for (; length - at >= size; at += size) yield whole.subarray(at, at + size)
    pieces = at < length ? [Buffer.from(whole.subarray(at))] : []
    length -= at
  }
  if (length > 0) yield Buffer.concat(pieces, length)
}

async function* joined(first: Iterable<Buffer>, rest: AsyncIterable<Buffer>) {
  yield* first
  yield* rest
}
