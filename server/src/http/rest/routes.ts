/**
 * The REST gateway, `{gateway_url}/v1/*`: a route for every operation, read from its definition
 * (contract 7.1). Calls and refusals are the same as at the tool-call endpoint, with
 * HTTP's own verbs and statuses.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { campaignProgress } from '../../campaigns/progress.ts'
import { limits } from '../../config.ts'
import { isRefusal, orThrow, refuse } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import type { Lazy } from '../../lib/concurrency/lazily.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { callNames, callOperation, withCallNames } from '../../operations/call.ts'
import { flatAnswer } from '../../operations/flat.ts'
import { allRoutes, type Method, type Route } from '../../operations/routes.ts'
import { takeJsonText } from '../body.ts'
import { registerStream } from '../live/stream.ts'
import { streamPlaces } from '../live/stream-places.ts'
import type { Watcher } from '../live/watcher.ts'
import { type EntryDeps, guardEntry, type OperationEntry } from '../operation-entry.ts'
import { etagOf, readInput } from './read-input.ts'
import { fileIn, takeFiles } from './uploads.ts'

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function registerRest(app: FastifyInstance, deps: RestDeps): void {
  const routes = allRoutes(deps.catalog)
  app.register(async (scope) => {
    const entry = guardEntry(scope, deps, {
      methods: `${everyMethod.join(', ')}, OPTIONS`,
      headers: ['idempotency-key', 'if-match', 'last-event-id'],
    })
    const { callerOf } = entry
    registerProgress(scope, deps, entry)
    registerStream(scope, deps, entry)
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store')
      done()
    })
    takeJsonText(scope)
    takeFiles(scope, new Set(deps.catalog.flatMap(({ file = [] }) => file)))

    const dotted = callNames(deps.slug, 'dotted')
    const answer = async (route: Route, request: FastifyRequest, reply: FastifyReply) => {
      const file = fileIn(request)
      const input = readInput(file ? { ...route, fieldsIn: 'query' } : route, {
        path: request.params as Record<string, string>,
        query: request.url.split('?', 2)[1] ?? '',
        body: file ? undefined : (request.body as string | undefined),
        key: headerOf(request, 'idempotency-key'),
        ifMatch: headerOf(request, 'if-match'),
      })
      const { principal } = callerOf(request)
      const { operation } = route
      const call = { operation, input, principal, requestId: request.id, file }
      const output = orThrow(await callOperation(deps.calling, call))
      reply.code(route.status)
      const version = isObject(output) ? output['version'] : undefined
      if (typeof version === 'number') reply.header('etag', etagOf(version))
      return route.status === 204
        ? reply.send()
        : reply.send(withCallNames(flatAnswer(operation, output), dotted))
    }

    for (const route of routes) {
      const { method, path: url, operation } = route
      const bodyLimit = operation.bodyBytes ?? limits.callBytes
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        answer(route, request, reply)
      const config = operation.file && method === 'POST' ? { file: operation.file } : {}
      scope.route({ method, url, bodyLimit, config, handler })
    }
    for (const [url, ofPath] of Map.groupBy(routes, ({ path }) => path)) {
      const allowed = allowedAt(ofPath)
      const refuseMethod = async (request: FastifyRequest, reply: FastifyReply) => {
        const why = `${request.method} is not allowed for this path: use ${allowed}.`
        reply.header('allow', allowed)
        throw refuse('method_not_allowed', why)
      }
      const method = everyMethod.filter((word) => !ofPath.some((route) => route.method === word))
      // Fastify adds a HEAD route to each GET route.
      const others = [...method, 'OPTIONS', 'TRACE', ...(method.includes('GET') ? ['HEAD'] : [])]
      scope.route({ method: others, url, onRequest: refuseMethod, handler: refuseMethod })
    }
    const refusePath = async () => {
      const why = `There is no such route. ${deps.documentation} lists all routes.`
      throw refuse('not_found', why)
    }
    for (const url of ['/v1', '/v1/*']) {
      scope.all(url, { onRequest: refusePath }, refusePath)
    }
  })
}

function allowedAt(routes: readonly Route[]): string {
  const methods = everyMethod.filter((word) => routes.some(({ method }) => method === word))
  return methods.flatMap((word: Method) => (word === 'GET' ? [word, 'HEAD'] : [word])).join(', ')
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** How often the counters are read. */
const lookMs = 1_000
/**
 * How long a stream lasts before its client reconnects, so that a revoked connection soon gets no
 * further events.
 */
const lifeMs = 60_000
/** How long a client waits before it reconnects, or polls again. */
const againMs = 2_000
/**
 * The most streams of one process. Beyond it a single response is sent, and the client reconnects.
 */
const mostStreams = 200

interface Progress {
  status: string
}

/**
 * Streams the progress of a campaign: as server-sent events (WHATWG HTML) to clients that accept
 * `text/event-stream`, and as a single response to clients that poll.
 */
export function registerProgress(
  scope: FastifyInstance,
  { calling, streamsPerConnection }: Pick<RestDeps, 'calling' | 'streamsPerConnection'>,
  { callerOf }: OperationEntry,
): void {
  const [route] = allRoutes([campaignProgress]) as [Route]
  const streams = new Set<AbortController>()
  const places = streamPlaces({ most: streamsPerConnection, lifeMs })
  // Otherwise a stop would wait for the streams.
  scope.addHook('preClose', async () => {
    for (const stream of streams) stream.abort()
  })

  scope.get(route.path, async (request, reply) => {
    const input = readInput(route, {
      path: request.params as Record<string, string>,
      query: request.url.split('?', 2)[1] ?? '',
      body: undefined,
      key: undefined,
    })
    const caller = callerOf(request)
    const { principal } = caller
    const call = { operation: campaignProgress, input, principal, requestId: request.id }
    const look = async () => flatAnswer(campaignProgress, await callOperation(calling, call))
    const answerOnce = async () => {
      const progress = orThrow(await look())
      return reply.header('retry-after', String(againMs / 1000)).send(progress)
    }
    if (!(request.headers.accept?.includes('text/event-stream') ?? false)) return answerOnce()
    // Reserved before anything is awaited, or many simultaneous requests would each find room.
    const slot = places.take(caller)
    if (typeof slot === 'number') throw tooMany(slot)
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    try {
      if (streams.size >= mostStreams) return await answerOnce()
      streams.add(gone)
      const first = orThrow(await look())
      await stream(request, reply, { first, look, signal: gone.signal })
    } finally {
      streams.delete(gone)
      slot.leave()
    }
    return reply
  })

  const tooMany = (retryAfter: number) => {
    const text = `${streamsPerConnection} event streams of this connection are open: end one, or wait ${retryAfter} s. GET without Accept: text/event-stream answers once.`
    return refuse('rate_limited', text, { retryAfter })
  }
}

interface Watched {
  first: unknown
  look(): Promise<unknown>
  signal: AbortSignal
}

async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  { first, look, signal }: Watched,
): Promise<void> {
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  raw.write(`retry: ${againMs}\n\n`)
  const until = Date.now() + lifeMs
  let last = request.headers['last-event-id']
  let seen = first
  while (!signal.aborted && !isRefusal(seen)) {
    const data = JSON.stringify(seen)
    const id = createHash('sha256').update(data).digest('base64url').slice(0, 16)
    // An empty comment line keeps the connection open.
    raw.write(id === last ? ':\n\n' : `id: ${id}\nevent: progress\ndata: ${data}\n\n`)
    last = id
    if (isOver(seen as Progress)) {
      raw.write('event: end\ndata: {}\n\n')
      break
    }
    if (Date.now() >= until) break
    await ignoreError('the client left', sleep(lookMs, undefined, { signal }))
    if (!signal.aborted) seen = await look()
  }
  raw.end()
}

const isOver = ({ status }: Progress) => status === 'completed' || status === 'cancelled'

export interface RestDeps extends EntryDeps {
  catalog: readonly Operation[]
  /** The address of the reference. */
  documentation: string
  /** How many event streams one connection, or one person in the app, may hold open. */
  streamsPerConnection: number
  /** Tells the app's pages what has changed. */
  watcher: Lazy<Watcher>
}
