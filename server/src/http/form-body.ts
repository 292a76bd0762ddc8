/** Form bodies as OAuth's endpoints read them; their scope accepts no other type. */
import { isUtf8 } from 'node:buffer'
import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRefusal, refuse } from '../core/errors.ts'
import { readJson } from '../core/json.ts'
import { boundBodies, notUtf8 } from './body.ts'

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
