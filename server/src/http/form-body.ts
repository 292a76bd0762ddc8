/** Form bodies as OAuth's endpoints read them; no other kind is taken in their scope. */
import { parse } from 'node:querystring'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../core/errors.ts'
import { boundBodies } from './body.ts'

/**
 * Every body of this scope must be a form of at most `bytes`. A name sent twice arrives
 * as an array, so that the rules of OAuth can see and refuse it.
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
    const text = `This endpoint takes application/x-www-form-urlencoded, not ${sent.slice(0, 100)} (RFC 6749 section 3.2).`
    done(refuse('unsupported_media_type', text))
  })
}

/** The parsed form; a request without a body has an empty one. */
export function formOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
