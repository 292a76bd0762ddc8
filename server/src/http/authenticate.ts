/**
 * Who calls, for every door that takes a bearer token. The signature is checked once
 * and its claims kept until they expire; whether the connection still lives, and what
 * it reaches, is read on every call, so that a revocation acts at once.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../platform/errors.ts'
import type { Id } from '../platform/ids.ts'
import type { Principal } from '../platform/operation.ts'

export interface TokenClaims {
  connectionId: Id<'connection'>
  /** The token's id: the key of its rate. */
  jti: string
}

export interface Caller {
  /** What his requests are counted under: his token's id, or his session's. */
  rateKey: string
  principal: Principal
}

export interface RateVerdict {
  allowed: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window is empty again. */
  resetSeconds: number
  /** Whole seconds until the next request can pass; 0 where this one did. */
  retryAfter: number
}

export interface AuthenticateDeps {
  /** The claims of a token that is ours and unexpired; at once where it was seen before. */
  verify(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined>
  /** The principal of a live connection; concurrent calls share one query. */
  principalOf(connectionId: Id<'connection'>): Promise<Principal | undefined>
  rate: { check(key: string): RateVerdict }
  used(connectionId: Id<'connection'>): void
}

export interface Authenticator {
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller | Refusal>
  /** Counts further requests of an admitted caller, as the messages of a batch are. */
  countMore(caller: Caller, n: number): Refusal | undefined
}

/** RFC 6750 section 2.1; the scheme in either case (RFC 9110 section 11.1). */
const scheme = 'bearer '

export function createAuthenticator(deps: AuthenticateDeps): Authenticator {
  return {
    async admit(request, reply) {
      const sent = request.headers.authorization
      if (sent === undefined) {
        return refuse('unauthorized', 'A bearer token is missing: send Authorization: Bearer …')
      }
      const isBearer = sent.slice(0, scheme.length).toLowerCase() === scheme
      const found = isBearer ? deps.verify(sent.slice(scheme.length)) : undefined
      const claims = found instanceof Promise ? await found : found
      if (!claims)
        return refuse('unauthorized', 'The access token is malformed, expired or not ours.')

      const tooMany = countRequest(deps.rate, claims.jti, reply)
      if (tooMany) return tooMany

      const principal = await deps.principalOf(claims.connectionId)
      if (!principal) {
        return refuse('unauthorized', 'The connection of this token was ended. Authorize again.')
      }
      deps.used(claims.connectionId)
      return { rateKey: claims.jti, principal }
    },
    countMore(caller, n) {
      for (let i = 0; i < n; i++) {
        const verdict = deps.rate.check(caller.rateKey)
        if (!verdict.allowed) return tooMany(verdict)
      }
      return undefined
    },
  }
}

/** Counts a request, and says in its answer's headers what is left. */
export function countRequest(
  rate: AuthenticateDeps['rate'],
  key: string,
  reply: FastifyReply,
): Refusal | undefined {
  const verdict = rate.check(key)
  reply.header('ratelimit-limit', verdict.limit)
  reply.header('ratelimit-remaining', verdict.remaining)
  reply.header('ratelimit-reset', verdict.resetSeconds)
  return verdict.allowed ? undefined : tooMany(verdict)
}

function tooMany(verdict: RateVerdict): Refusal {
  return refuse(
    'rate_limited',
    `More than ${verdict.limit} requests in a minute with one token, or in one session. Wait ${verdict.retryAfter} s.`,
    { retryAfter: verdict.retryAfter },
  )
}
