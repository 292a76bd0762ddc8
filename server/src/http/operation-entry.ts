/**
 * The checks of an entry point of operations before it reads a body: the page's origin, the caller,
 * and the rate. A stranger's megabytes are never read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, refuse, statusOf } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Principal } from '../core/operation.ts'
import type { RateLimiter, RateVerdict, WiderBucket } from '../lib/rate-limit/rate-limit.ts'
import type { Clock } from '../lib/time/clock.ts'
import { keyPrefix } from '../oauth/api-keys/api-key.ts'
import { refuseEndedKey } from '../oauth/api-keys/check-key.ts'
import { type CallDeps, type CallName, callNames } from '../operations/call.ts'
import { bearerChallenge } from './challenge.ts'
import { refusalBody } from './error-body.ts'

export interface EntryDeps {
  slug: string
  /** The URL of the resource metadata for the path of the request. */
  metadataUrl(path: string): string
  allowsOrigin(origin: string): boolean
  /** Dependencies of every call. */
  calling: CallDeps
  /** Authenticates the caller and counts the request, or throws the refusal. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
}

export interface OperationEntry {
  callerOf(request: FastifyRequest): Caller
  /** `name`: how the caller's client spells operations; with dots by default. */
  refuseWith(
    reply: FastifyReply,
    request: FastifyRequest,
    refusal: Refusal,
    name?: CallName,
  ): FastifyReply
}

/** Headers that a page may send here besides Authorization and Content-Type. */
export interface Preflight {
  methods: string
  headers: readonly string[]
}

/**
 * The caller of a request, known before its body is read. It is a property of the request rather
 * than an entry of a WeakMap, because a young-generation collection keeps all values of such a map
 * alive, so each caller would survive until the next full one.
 */
const callerKey = Symbol('caller')

type AdmittedRequest = FastifyRequest & { [callerKey]: Caller | undefined }

/** Runs before every route of the scope, and answers the refusals that are thrown in it. */
export function guardEntry(
  scope: FastifyInstance,
  deps: EntryDeps,
  preflight: Preflight,
): OperationEntry {
  const dotted = callNames(deps.slug, 'dotted')
  const refuseWith: OperationEntry['refuseWith'] = (reply, request, refusal, name = dotted) => {
    const challenge = bearerChallenge(refusal, {
      metadataUrl: deps.metadataUrl(request.routeOptions.url ?? ''),
      tokenSent: request.headers.authorization !== undefined,
      held: (request as AdmittedRequest)[callerKey]?.principal.scopes,
    })
    if (challenge) reply.header('www-authenticate', challenge)
    if (refusal.details.retryAfter !== undefined) {
      reply.header('retry-after', String(refusal.details.retryAfter))
    }
    return reply.code(statusOf[refusal.code]).send(refusalBody(refusal, request.id, name))
  }
  const allowReading = readable(preflight)

  scope.setErrorHandler((error, request, reply) => {
    // What failed is for the server, which logs it.
    if (!isRefusal(error) || error.code === 'internal') throw error
    return refuseWith(reply, request, error)
  })
  scope.decorateRequest(callerKey, undefined)
  scope.addHook('onRequest', async (request, reply) => {
    const origin = request.headers.origin
    if (origin !== undefined && !deps.allowsOrigin(origin)) {
      const why = `Requests from pages of ${origin.slice(0, 200)} are not allowed.`
      throw refuse('forbidden_origin', why)
    }
    if (origin !== undefined && !sendsKey(request)) allowReading(reply, origin)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    ;(request as AdmittedRequest)[callerKey] = await deps.admit(request, reply)
    return undefined
  })

  return {
    refuseWith,
    callerOf(request) {
      const caller = (request as AdmittedRequest)[callerKey]
      if (!caller) throw new Error('the caller was not admitted')
      return caller
    },
  }
}

function readable({ methods, headers }: Preflight) {
  const allowed = ['authorization', 'content-type', ...headers].join(', ')
  const responseHeaders =
    'www-authenticate, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, etag'
  return (reply: FastifyReply, origin: string): void => {
    reply.header('access-control-allow-origin', origin)
    reply.header('vary', 'Origin')
    reply.header('access-control-allow-methods', methods)
    reply.header('access-control-allow-headers', allowed)
    reply.header('access-control-expose-headers', responseHeaders)
  }
}

export interface TokenClaims {
  connectionId: Id<'connection'>
  /** The token's id, under which its requests are counted. */
  jti: string
}

export interface Caller {
  /** The key under which the caller's requests are counted: the id of the token, key or session. */
  rateKey: string
  /** For a token, also the key of its connection, under which all of its tokens are counted. */
  connectionBucket?: WiderBucket
  principal: Principal
  /** Set for a person who is signed in to the app. */
  sessionId?: Id<'session'>
}

export interface AuthenticateDeps {
  clock: Clock
  /** The claims of a valid token. Synchronous where the token was verified before. */
  verify(token: string, now: Date): TokenClaims | undefined | Promise<TokenClaims | undefined>
  /** The connection of an API key that is valid for this request; another key is refused. */
  admitKey(key: string, request: FastifyRequest): Promise<Id<'connection'>>
  /** The principal of a live connection; concurrent calls share one query. */
  principalOf(connectionId: Id<'connection'>): Promise<Principal | undefined>
  rate: Pick<RateLimiter, 'check'>
  /** Requests per minute of one connection, over all of its tokens. */
  requestsPerConnection: number
  used(connectionId: Id<'connection'>): void
}

export interface Authenticator {
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** Counts further requests of an admitted caller, such as the messages of a batch. */
  countMore(caller: Caller, n: number): void
}

/** RFC 6750 section 2.1. The scheme is matched in either case (RFC 9110 section 11.1). */
const scheme = 'bearer '

function bearerIn(authorization: string): string | undefined {
  const isBearer = authorization.slice(0, scheme.length).toLowerCase() === scheme
  return isBearer ? authorization.slice(scheme.length) : undefined
}

/** Whether the request contains an API key. No browser page may read the response to it. */
export function sendsKey({ headers }: FastifyRequest): boolean {
  return bearerIn(headers.authorization ?? '')?.startsWith(keyPrefix) ?? false
}

/**
 * Authenticates the caller for every entry point that takes a bearer token or an API key. A token's
 * signature is checked once and its claims are cached until they expire. The connection and its
 * access are read on every call, so that a revocation takes effect at once.
 */
export function createAuthenticator(deps: AuthenticateDeps): Authenticator {
  const admitKey = async (
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Caller> => {
    const connectionId = await deps.admitKey(key, request)
    countRequest(deps.rate, { rateKey: connectionId }, reply)
    const principal = await deps.principalOf(connectionId)
    if (!principal) throw refuseEndedKey()
    deps.used(connectionId)
    return { rateKey: connectionId, principal }
  }

  return {
    async admit(request, reply) {
      const sent = request.headers.authorization
      if (sent === undefined) {
        throw refuse('unauthorized', 'A bearer token is missing: send Authorization: Bearer …')
      }
      const bearer = bearerIn(sent)
      if (bearer === undefined) {
        const text = `Authorization must be a bearer token${/^basic /i.test(sent) ? ', not Basic' : ''}: send Authorization: Bearer, with an API key (${keyPrefix}…) or an access token.`
        throw refuse('unauthorized', text)
      }
      if (bearer.startsWith(keyPrefix)) return admitKey(bearer, request, reply)
      const verified = deps.verify(bearer, deps.clock.now())
      const claims = verified instanceof Promise ? await verified : verified
      if (!claims)
        throw refuse('unauthorized', 'The access token is malformed, expired or unknown.')

      const { connectionId, jti } = claims
      // A refresh creates a token with its own limit, as often as the client likes. Hence the limit
      // per connection.
      const connectionBucket = { key: connectionId, limit: deps.requestsPerConnection }
      countRequest(deps.rate, { rateKey: jti, connectionBucket }, reply)

      const principal = await deps.principalOf(connectionId)
      if (!principal) {
        throw refuse('unauthorized', 'The connection of this token was revoked. Authorize again.')
      }
      deps.used(connectionId)
      return { rateKey: jti, connectionBucket, principal }
    },
    countMore(caller, n) {
      for (let i = 0; i < n; i++) {
        const verdict = deps.rate.check(caller.rateKey, caller.connectionBucket)
        if (!verdict.allowed) throw tooMany(verdict)
      }
    },
  }
}

/** Counts a request, and reports the remaining limit in the response headers. */
export function countRequest(
  rate: AuthenticateDeps['rate'],
  { rateKey, connectionBucket }: Omit<Caller, 'principal'>,
  reply: FastifyReply,
): void {
  const verdict = rate.check(rateKey, connectionBucket)
  reply.header('ratelimit-limit', verdict.limit)
  reply.header('ratelimit-remaining', verdict.remaining)
  reply.header('ratelimit-reset', verdict.resetSeconds)
  if (!verdict.allowed) throw tooMany(verdict)
}

function tooMany(verdict: RateVerdict): Refusal {
  const { limit, wider, retryAfter } = verdict
  const whose = wider
    ? 'with all tokens of one connection'
    : 'with one token or key, or in one session'
  const text = `More than ${limit} requests in a minute ${whose}. Wait ${retryAfter} s.`
  return refuse('rate_limited', text, { retryAfter })
}
