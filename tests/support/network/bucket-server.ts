/**
 * A bucket on loopback that supports the part of S3's protocol that our client uses, and refuses
 * what S3 refuses: wrong signatures, bodies with another hash, parts that are too small.
 */

import { createHash } from 'node:crypto'
import type http from 'node:http'
import { signatureFault } from './bucket-signature.ts'
import { httpServer } from './remote-server.ts'

export interface BucketServer {
  endpoint: string
  region: string
  name: string
  credentials: { keyId: string; secret: string }
  objects: Map<string, Buffer>
  /** Multipart uploads in progress, by their id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>
  /** `PUT key?partNumber=1` and so on, in the order of their arrival. */
  asked: string[]
  /** Returns the code with which to refuse a request before it is read, or nothing. */
  refuse: ((asked: string) => { status: number; code: string } | undefined) | undefined
  close(): Promise<void>
}

interface Answer {
  status: number
  body?: string | Buffer
  headers?: Record<string, string>
}

/** A minimum as in S3, but lower, because our tests write smaller parts. */
const leastPart = 64 * 1024
const region = 'eu-test-1'
const name = 'crier-files'
const credentials = { keyId: 'AKIATEST', secret: 'a/secret+of the bucket' }

export async function bucketServer(): Promise<BucketServer> {
  const far = await httpServer((request, response) => void handle(request, response))
  const server: BucketServer = {
    endpoint: `http://127.0.0.1:${far.port}`,
    region,
    name,
    credentials,
    objects: new Map(),
    uploads: new Map(),
    asked: [],
    refuse: undefined,
    close: () => far.close(),
  }

  async function handle(request: http.IncomingMessage, response: http.ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status, body = '', headers = {} } = answer(server, request, Buffer.concat(chunks))
    response.writeHead(status, headers).end(body)
  }
  return server
}

function answer(server: BucketServer, request: http.IncomingMessage, body: Buffer): Answer {
  const { method = '', url: target = '' } = request
  const headers = request.headers as Record<string, string>
  const url = new URL(target, server.endpoint)
  const key = decodeURIComponent(url.pathname).slice(`/${name}/`.length)
  const asked = `${method} ${key}${url.search}`
  server.asked.push(asked)
  const planned = server.refuse?.(asked)
  if (planned) return errorAnswer(planned.status, planned.code)
  const fault = signatureFault({ method, target, headers }, { ...credentials, region })
  if (fault !== undefined) return errorAnswer(403, fault)
  const hash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== hash) return errorAnswer(400, 'XAmzContentSHA256Mismatch')
  const query = url.searchParams
  if (key === '') return listed(server, query)
  if (method === 'POST' && query.has('uploads')) return begun(server, key)
  const uploadId = query.get('uploadId')
  if (uploadId !== null) return ofUpload(server, { method, key, query, body, uploadId })
  if (method === 'PUT') {
    server.objects.set(key, body)
    return { status: 200, headers: { etag: tagOf(body) } }
  }
  if (method === 'DELETE') {
    server.objects.delete(key)
    return { status: 204 }
  }
  return read(server, key, headers)
}

const tagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const xml = (text: string): Answer => ({ status: 200, body: `<?xml version="1.0"?>${text}` })

function errorAnswer(status: number, code: string): Answer {
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` }
}

function read({ objects }: BucketServer, key: string, headers: Record<string, string>): Answer {
  const object = objects.get(key)
  if (!object) return errorAnswer(404, 'NoSuchKey')
  const etag = tagOf(object)
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) {
    return errorAnswer(412, 'PreconditionFailed')
  }
  const [first = 0, last = 0] = (headers['range'] ?? 'bytes=0-').slice(6).split('-').map(Number)
  if (first >= object.length) return errorAnswer(416, 'InvalidRange')
  const body = object.subarray(first, last + 1)
  const range = `bytes ${first}-${first + body.length - 1}/${object.length}`
  return { status: 206, body, headers: { etag, 'content-range': range } }
}

function begun({ uploads }: BucketServer, key: string): Answer {
  const id = `upload-${uploads.size + 1}+/=`
  uploads.set(id, { key, parts: new Map() })
  return xml(`<R><UploadId>${id}</UploadId></R>`)
}

interface PartRequest {
  method: string
  key: string
  query: URLSearchParams
  body: Buffer
  uploadId: string
}

function ofUpload(server: BucketServer, asked: PartRequest): Answer {
  const { method, key, query, body, uploadId } = asked
  const upload = server.uploads.get(uploadId)
  if (upload?.key !== key) return errorAnswer(404, 'NoSuchUpload')
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: tagOf(body) } }
  }
  if (method === 'DELETE') {
    server.uploads.delete(uploadId)
    return { status: 204 }
  }
  const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)]
  const parts = wanted.map(([, n, tag]) => {
    const part = upload.parts.get(Number(n))
    return part && tagOf(part) === tag ? part : undefined
  })
  if (parts.includes(undefined)) return errorAnswer(400, 'InvalidPart')
  const whole = parts.filter((part) => part !== undefined)
  if (whole.slice(0, -1).some((part) => part.length < leastPart)) {
    // The service has begun its answer by then, so its status is 200.
    return xml('<Error><Code>EntityTooSmall</Code></Error>')
  }
  server.uploads.delete(uploadId)
  server.objects.set(key, Buffer.concat(whole))
  return xml('<R/>')
}

const keysAtOnce = 2

function listed({ objects, uploads }: BucketServer, query: URLSearchParams): Answer {
  const prefix = query.get('prefix') ?? ''
  if (query.has('uploads')) {
    const some = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
    const text = some.map(
      ([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
    )
    return xml(`<R>${text.join('')}</R>`)
  }
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const some = keys.slice(0, keysAtOnce)
  const text = some.map((key) => {
    const escaped = key.replaceAll('&', '&amp;')
    return `<Contents><Key>${escaped}</Key><Size>${objects.get(key)?.length}</Size></Contents>`
  })
  const next =
    keys.length > keysAtOnce ? `<NextContinuationToken>${some.at(-1)}</NextContinuationToken>` : ''
  return xml(`<R>${text.join('')}${next}</R>`)
}
