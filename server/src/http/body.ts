/** Bodies of requests: JSON that is passed on as unparsed text, and forms. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { readJson } from '../core/json.ts'
import { inUnits } from '../lib/text/byte-units.ts'

type Done = (error: Error | null, body?: string) => void

/**
 * Every body of this scope must be JSON of at most its route's `bodyLimit`; it is not parsed here.
 */
export function takeJsonText(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', (request, payload, done: Done) =>
    readText(payload, boundOf(request), done),
  )
}

/** The type that a body was sent as, and the types that its route takes. */
export function refuseMediaType({ headers, routeOptions, server }: FastifyRequest): Refusal {
  const { file = [] } = routeOptions.config as { file?: readonly string[] }
  const json = server.hasContentTypeParser('application/json') ? ['application/json'] : []
  const types = [...json, ...file].join(' or ')
  const sent = headers['content-type']
  const fault =
    sent === undefined
      ? 'This body has no Content-Type'
      : 'The Content-Type of this body is not taken here'
  return refuse(
    'unsupported_media_type',
    types ? `${fault}: send Content-Type: ${types}.` : `${fault}.`,
  )
}

/** The body limit of routes in this scope that set none. */
export function boundBodies(scope: FastifyInstance, bytes: number): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bytes
  })
}

/** The largest body in bytes that the route of this request accepts. */
export function boundOf(request: FastifyRequest): number {
  return request.routeOptions.bodyLimit
}

/**
 * A call waits for the database before its body is read. By then nearly every body has arrived
 * completely, and a single read returns it. Listeners would need four more turns of the event queue
 * each, which cost a twentieth of a small call.
 */
function readText(payload: IncomingMessage, limit: number, done: Done): void {
  if (Number(payload.headers['content-length']) > limit) done(tooLarge(limit))
  else if (payload.complete) doneWith((payload.read() as Buffer | null) ?? noBytes, limit, done)
  else gatherText(payload, limit, done)
}

const noBytes = Buffer.alloc(0)

function doneWith(bytes: Buffer, limit: number, done: Done): void {
  if (bytes.length > limit) done(tooLarge(limit))
  else if (!isUtf8(bytes)) done(notUtf8())
  else done(null, bytes.toString('utf8'))
}

function gatherText(payload: IncomingMessage, limit: number, done: Done): void {
  const chunks: Buffer[] = []
  let length = 0
  const end = (error?: Error) => {
    payload.off('data', take).off('end', end).off('error', end)
    if (error) done(error)
    // Decoded at the end, because a character may be split over two chunks.
    else doneWith(Buffer.concat(chunks), limit, done)
  }
  const take = (chunk: Buffer) => {
    length += chunk.length
    chunks.push(chunk)
    if (length > limit) end()
  }
  payload.on('data', take).on('end', end).on('error', end)
}

export function notUtf8(): Refusal {
  const text = 'The body is not UTF-8, which JSON is sent in (RFC 8259 section 8.1). Encode it so.'
  return refuse('invalid_request', text, { field: 'body' })
}

export function tooLarge(limit: number): Refusal {
  return refuse('too_large', `The body is larger than the ${inUnits(limit)} that this route takes.`)
}

/**
 * Every body of this scope must be a form of at most `bytes`. A repeated name arrives as an array,
 * so that OAuth's rules can detect and refuse it.
 */
export function takeForms(scope: FastifyInstance, bytes: number): void {
  boundBodies(scope, bytes)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parse(body)),
  )
  scope.addContentTypeParser('*', (request, _payload, done) => {
    const sent = request.headers['content-type'] ?? 'nothing that says its type'
    const text = `This endpoint accepts application/x-www-form-urlencoded, not ${sent.slice(0, 100)} (RFC 6749 section 3.2).`
    done(refuse('unsupported_media_type', text))
  })
}

/** The parsed form; empty for a request without a body. */
export function formOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/**
 * Also accepts `multipart/form-data`: forms of other sites post it, and mail programs may (RFC 8058
 * section 3.2). Files are ignored.
 */
export function takeMultipart(scope: FastifyInstance): void {
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const type = request.headers['content-type'] ?? ''
      const text = /boundary=/i.test(type) ? await fieldsOf(type, body) : ''
      return parse(text)
    },
  )
}

async function fieldsOf(type: string, body: Buffer): Promise<string> {
  try {
    const fields = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData()
    const texts = [...fields].filter((field): field is [string, string] => {
      return typeof field[1] === 'string'
    })
    return new URLSearchParams(texts).toString()
  } catch {
    throw refuse('invalid_request', 'The form cannot be read: its multipart body is malformed.')
  }
}

/** Also accepts a JSON object of fields, as scripts on other sites and registrations send them. */
export function takeJsonFields(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      if (!isUtf8(body)) return done(notUtf8())
      const parsed = readJson(body.toString('utf8'))
      if (isRefusal(parsed)) done(parsed)
      else if (parsed) done(null, parsed.value)
      else done(refuse('invalid_request', 'The body is not JSON.'))
    },
  )
}
