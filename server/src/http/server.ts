/** The HTTP server: request ids, headers of every response, errors as bodies, and its end. */

import type { Socket } from 'node:net'
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify'
import { limits } from '../config.ts'
import { isRefusal, type Refusal, refuse, statusOf } from '../core/errors.ts'
import { newPublicId } from '../core/ids.ts'
import { longestToken } from '../core/sealed-link.ts'
import { type Outage, outageOf, outageWords } from '../lib/db/outage.ts'
import type { ProxyTrust } from '../lib/http-client/proxy-trust.ts'
import type { Log } from '../lib/process/log.ts'
import { boundOf, refuseMediaType, tooLarge } from './body.ts'
import { readCallerAddresses } from './caller-address.ts'
import { errorBody } from './error-body.ts'
import { sendNoPage, wantsPage } from './pages/shared/error-page.ts'
import { spareUploads } from './rest/uploads.ts'

interface ServerOptions {
  log: Log
  /** The body limit in bytes of routes that set none. */
  bodyLimit: number
  /** Proxies that are trusted about the caller's address. Fastify itself trusts no proxy. */
  trustProxy: ProxyTrust | false
  https: boolean
  /** Whether requests that succeed are logged too; at the level debug they are in any case. */
  accessLog?: boolean
}

const arrivedKey = Symbol('arrived')

const quietKey = Symbol('quiet')

type TimedRequest = FastifyRequest & { [arrivedKey]: number; [quietKey]?: true }

/** Makes the failure of a request a debug line, because another line tells of its cause once. */
export function failQuietly(request: FastifyRequest): void {
  ;(request as TimedRequest)[quietKey] = true
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { log } = options
  const server = fastify({
    logger: false,
    bodyLimit: options.bodyLimit,
    genReqId: () => newPublicId('request'),
    // A request must arrive within 30 s; an idle connection outlives a proxy's 60 s.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Links to files carry what they export. Patterns in routes, which this guards, are not used.
    routerOptions: { maxParamLength: longestToken },
    // Fastify's own compilers load 25 modules, of Ajv and others, that no route needs.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    frameworkErrors: (_error, request, reply) => refusePath(request.id, reply as FastifyReply),
  })

  endConnections(server, limits.requestGraceMs)
  spareUploads(server)
  server.decorateRequest(arrivedKey, 0)
  readCallerAddresses(server, options.trustProxy)
  // One static hook instead of a plugin: helmet halves the rate of API responses.
  server.addHook('onRequest', (request, reply, done) => {
    ;(request as TimedRequest)[arrivedKey] = performance.now()
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    if (options.https) reply.header('strict-transport-security', 'max-age=31536000')
    done()
  })
  const { accessLog = false } = options
  const tells = accessLog || (log.isLevelEnabled?.('debug') ?? true)
  server.addHook('onSend', (request, reply, _payload, done) => {
    answerBeforeBody(request, reply)
    // Nearly all responses succeed, and nobody reads about those: a hook that waits for the end of
    // each response costs a fiftieth of a small call.
    if (reply.statusCode >= 400 || tells) {
      reply.raw.once('close', () => tellOf(log, request, reply, accessLog))
    }
    done()
  })
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asRefusal(error, request)
    // An outage that was foreseen has no stack to look into: its answer is logged like any other.
    const isForeseen = isRefusal(error) && refusal.code !== 'internal'
    if (statusOf[refusal.code] >= 500 && !isForeseen) {
      log.error({ err: error, request_id: request.id }, 'http.error')
    }
    if (refusal.details.retryAfter !== undefined) {
      reply.header('retry-after', String(refusal.details.retryAfter))
    }
    return reply.code(statusOf[refusal.code]).send(errorBody(refusal, request.id))
  })
  server.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return sendNoPage(reply, request)
    const refusal = refuse('not_found', `There is nothing at ${request.method} on this path.`)
    return reply.code(404).send(errorBody(refusal, request.id))
  })
  return server
}

/** Arguments are checked by the catalogue's schemas, the same for all entry points. */
function noSchema(): never {
  throw new Error('routes have no schemas of their own')
}

function tellOf(log: Log, request: FastifyRequest, reply: FastifyReply, accessLog: boolean): void {
  const line = {
    request_id: request.id,
    method: request.method,
    // The route's pattern is logged, because a path may contain a link's token.
    route: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
    ms: Math.round(performance.now() - (request as TimedRequest)[arrivedKey]),
  }
  if ((request as TimedRequest)[quietKey]) log.debug(line, 'http.failed')
  else if (reply.statusCode >= 500) log.error(line, 'http.failed')
  else if (reply.statusCode >= 400) log.info(line, 'http.refused')
  else log[accessLog ? 'info' : 'debug'](line, 'http.answered')
}

/** A path that cannot be decoded, or is too long. No hook has run for it. */
function refusePath(requestId: string, reply: FastifyReply): void {
  const refusal = refuse('invalid_request', 'The path of this URL is malformed.')
  reply.header('x-request-id', requestId).code(statusOf[refusal.code])
  reply.send(errorBody(refusal, requestId))
}

/** Seconds after which a caller may try again. Some outages last until a person ends them. */
const retryAfter: Readonly<Partial<Record<Outage, number>>> = { read_only: 5, disk_full: 5 }

/** Full, over a quota, or mounted read-only. */
const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

function ofOutage(outage: Outage): Refusal {
  const text = `The database ${outageWords[outage].is} just now. Try again; with the same idempotency_key nothing happens twice.`
  return refuse('unavailable', text, { retryAfter: retryAfter[outage] ?? 1 })
}

export function asRefusal(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (isRefusal(error)) return error
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(boundOf(request))
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuseMediaType(request)
  }
  const outage = outageOf(error)
  if (outage !== undefined) {
    failQuietly(request)
    return ofOutage(outage)
  }
  if (diskCodes.has(error.code)) {
    const text = 'The disk of the service cannot store more files at the moment. Try again later.'
    return refuse('unavailable', text, { retryAfter: 5 })
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return refuse('invalid_request', error.message)
  }
  return refuse('internal', 'Something went wrong on our side. Search the log for the request id.')
}

/** The most that is read and dropped: bytes, and milliseconds after the response. */
const drop = { bytes: 64 * 1024 * 1024, ms: 5_000, lookMs: 25 }

/**
 * Called before a response that is sent while the body is still arriving: it is too large, or the
 * caller is unknown. A connection that is closed while its client still sends is reset, and most
 * clients then report a broken pipe and never read the response. So the rest of the body is read
 * and dropped for a while (RFC 9112 section 9.6), and the connection is closed after that. A small
 * body needs no special treatment.
 */
function answerBeforeBody({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  if (request.complete) return
  const length = Number(request.headers['content-length'] ?? 0)
  const streamed = request.headers['transfer-encoding'] !== undefined
  if (!streamed && length <= limits.bodyBytes) return
  reply.header('connection', 'close')
  const { socket } = request
  const before = socket.bytesRead
  // Node calls this once the response is written.
  socket.destroySoon = () => {
    socket.end()
    request.resume()
    const until = performance.now() + drop.ms
    const looking = setInterval(() => {
      const goesOn =
        !request.complete &&
        !socket.destroyed &&
        socket.bytesRead - before <= drop.bytes &&
        performance.now() < until
      if (goesOn) return
      clearInterval(looking)
      socket.destroy()
    }, drop.lookMs)
  }
}

/** Milliseconds between two checks, and those within which a connection's first request comes. */
const times = { lookMs: 50, firstRequestMs: 500 }

const lastAnswers = new WeakMap<FastifyInstance, () => void>()

/** From now on each answer ends its connection, so that few are left when the server closes. */
export function endAfterAnswers(server: FastifyInstance): void {
  lastAnswers.get(server)?.()
}

/**
 * Ends all connections within `graceMs` of the server's close, and those with a finished response
 * at once. Node closes idle connections only once. A connection that finishes a response a moment
 * later, that a browser opened in advance, or whose request never ends would each delay the stop by
 * up to a minute.
 */
export function endConnections(server: FastifyInstance, graceMs: number): void {
  /** Connections without a request yet, and the time since which they exist (`performance.now`). */
  const unused = new Map<Socket, number>()
  let closing = false
  lastAnswers.set(server, () => {
    closing = true
  })
  server.server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now())
    socket.once('close', () => unused.delete(socket))
  })
  server.addHook('onRequest', (request, _reply, done) => {
    unused.delete(request.raw.socket)
    done()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A client that reads this header sends no further request on the connection.
    if (closing) reply.header('connection', 'close')
    done()
  })
  server.addHook('preClose', (done) => {
    closing = true
    const looking = setInterval(() => {
      server.server.closeIdleConnections()
      const since = performance.now() - times.firstRequestMs
      for (const [socket, opened] of unused) if (opened < since) socket.destroy()
    }, times.lookMs)
    const cutting = setTimeout(() => server.server.closeAllConnections(), graceMs)
    server.server.once('close', () => {
      clearInterval(looking)
      clearTimeout(cutting)
    })
    done()
  })
}
