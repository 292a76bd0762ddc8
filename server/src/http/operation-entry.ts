/**
 * The checks of an entry point of operations before it reads a body: the page's origin, the caller,
 * and the rate. A stranger's megabytes are never read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse, statusOf } from '../core/errors.ts'
import type { CallDeps } from '../operations/call.ts'
import { type Caller, sendsKey } from './authenticate.ts'
import { type CallName, callNames } from './call-names.ts'
import { bearerChallenge } from './challenge.ts'
import { refusalBody } from './error-body.ts'

export interface EntryDeps {
  slug: string
  /** The URL of the resource metadata for the path of the request. */
  metadataUrl(path: string): string
  allowsOrigin(origin: string): boolean
  /** Dependencies of every call. */
  calling: CallDeps
  /** Authenticates the caller and counts the request. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller | Refusal>
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

/** Runs before every route of the scope. */
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

  scope.decorateRequest(callerKey, undefined)
  scope.addHook('onRequest', async (request, reply) => {
    const origin = request.headers.origin
    if (origin !== undefined && !deps.allowsOrigin(origin)) {
      const why = `Requests from pages of ${origin.slice(0, 200)} are not allowed.`
      return refuseWith(reply, request, refuse('forbidden_origin', why))
    }
    if (origin !== undefined && !sendsKey(request)) allowReading(reply, origin)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    const caller = await deps.admit(request, reply)
    if (caller instanceof Error) return refuseWith(reply, request, caller)
    ;(request as AdmittedRequest)[callerKey] = caller
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
  const shown =
    'www-authenticate, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, etag'
  return (reply: FastifyReply, origin: string): void => {
    reply.header('access-control-allow-origin', origin)
    reply.header('vary', 'Origin')
    reply.header('access-control-allow-methods', methods)
    reply.header('access-control-allow-headers', allowed)
    reply.header('access-control-expose-headers', shown)
  }
}
