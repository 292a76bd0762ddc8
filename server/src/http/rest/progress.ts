/**
 * Streams the progress of a campaign: as server-sent events (WHATWG HTML) to clients that accept
 * `text/event-stream`, and as a single response to clients that poll.
 */

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { campaignProgress } from '../../campaigns/progress.ts'
import { isRefusal, refuse } from '../../core/errors.ts'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import { callOperation } from '../../operations/call.ts'
import { flatAnswer } from '../../operations/flat.ts'
import { allRoutes, type Route } from '../../operations/routes.ts'
import { streamPlaces } from '../live/stream-places.ts'
import type { OperationEntry } from '../operation-entry.ts'
import { readInput } from './read-input.ts'
import type { RestDeps } from './rest-deps.ts'

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

export function registerProgress(
  scope: FastifyInstance,
  { calling, streamsPerConnection }: Pick<RestDeps, 'calling' | 'streamsPerConnection'>,
  { callerOf, refuseWith }: OperationEntry,
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
    if (isRefusal(input)) return refuseWith(reply, request, input)
    const caller = callerOf(request)
    const { principal } = caller
    const call = { operation: campaignProgress, input, principal, requestId: request.id }
    const look = async () => flatAnswer(campaignProgress, await callOperation(calling, call))
    const answerOnce = async () => {
      const seen = await look()
      if (isRefusal(seen)) return refuseWith(reply, request, seen)
      return reply.header('retry-after', String(againMs / 1000)).send(seen)
    }
    if (!(request.headers.accept?.includes('text/event-stream') ?? false)) return answerOnce()
    // Reserved before anything is awaited, or many simultaneous requests would each find room.
    const slot = places.take(caller)
    if (typeof slot === 'number') return refuseWith(reply, request, tooMany(slot))
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    try {
      if (streams.size >= mostStreams) return await answerOnce()
      streams.add(gone)
      const first = await look()
      if (isRefusal(first)) return refuseWith(reply, request, first)
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
