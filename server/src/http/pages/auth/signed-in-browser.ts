import type { FastifyRequest } from 'fastify'
import type { SignedInBrowser } from '../../../accounts/sign-in/listed-session.ts'

/** What a person later recognises the browser by that now signs in. */
export function browserOf(request: FastifyRequest): SignedInBrowser {
  return { agent: request.headers['user-agent'] ?? null, address: request.callerAddress }
}
