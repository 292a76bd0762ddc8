/**
 * Tells the app's pages, as server-sent events (WHATWG HTML), what of a business has changed, so
 * that they read it anew. It tells topics, never what is in them: reading goes through the
 * operations. Programs have `meta.changes` and webhooks.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import type { Lazy } from '../../lib/concurrency/lazily.ts'
import type { OperationEntry } from '../operation-entry.ts'
import { streamPlaces } from './stream-places.ts'
import type { Change, Watcher } from './watcher.ts'

/** The numbers of the streams. */
export const streamNumbers = {
  /** How often one says that it is still there. */
  beatMs: 15_000,
  /** How long one lasts; its browser comes again. */
  lifeMs: 15 * 60_000,
  /** How long a browser waits before it comes again. */
  againMs: 2_000,
  /** The most streams of one process. */
  most: 500,
  /** Bytes that wait for a reader who does not read, before the stream is cut. */
  unread: 64 * 1024,
}

interface StreamDeps {
  watcher: Lazy<Watcher>
  /** How many one person may hold open, over all of their browsers. */
  streamsPerConnection: number
}

export function registerStream(
  scope: FastifyInstance,
  { watcher: lazyWatcher, streamsPerConnection }: StreamDeps,
  { callerOf }: OperationEntry,
): void {
  const { lifeMs, most } = streamNumbers
  const open = new Set<() => void>()
  const places = streamPlaces({ most: streamsPerConnection, lifeMs })
  // Otherwise a stop would wait for the streams.
  scope.addHook('preClose', async () => {
    for (const end of open) end()
  })

  scope.route({
    method: 'GET',
    url: '/v1/stream',
    exposeHeadRoute: false,
    async handler(request, reply) {
      const caller = callerOf(request)
      const { sessionId, principal } = caller
      if (sessionId === undefined) throw forPeople()
      const businessId = new URL(request.url, 'http://here').searchParams.get('business_id')
      const business = principal.businesses.find(
        ({ id, isHeld }) => !isHeld && formatId('business', id) === businessId,
      )
      if (!business) throw noBusiness()
      const watcher = await lazyWatcher.get()
      // Reserved before anything is awaited, or many simultaneous requests would each find room.
      const slot = places.take(caller)
      if (typeof slot === 'number') {
        const whose = `${streamsPerConnection} streams of this person are open`
        throw tooMany(whose, slot)
      }
      if (open.size >= most) {
        slot.leave()
        throw tooMany(`${most} streams of this process are open`, 30)
      }
      const stream = startStream(reply)
      open.add(stream.end)
      // Watched before the marks are read: what changes meanwhile is told too.
      const unwatch = watcher.watch({ businessId: business.id, sessionId, ...stream })
      stream.whenClosed(() => {
        unwatch()
        open.delete(stream.end)
        slot.leave()
      })
      const last = request.headers['last-event-id']
      const since = watcher.since(business.id, typeof last === 'string' ? last : undefined)
      const change = await ignoreError('the browser comes again', since)
      if (change) stream.greet(change)
      else stream.end()
      return reply
    },
  })
}

/** Begins the answer, and keeps it open. */
function startStream(reply: FastifyReply) {
  const { beatMs, lifeMs, againMs, unread } = streamNumbers
  const { raw } = reply
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  // nginx would keep the events back until it has a bufferful.
  reply.header('x-accel-buffering', 'no')
  reply.hijack()
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  const write = (event: string, data: object, id?: string) => {
    if (raw.writableLength > unread) raw.destroy()
    if (raw.writableEnded || raw.destroyed) return
    raw.write(
      `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    )
  }
  raw.write(`retry: ${againMs}\n\n`)
  const beat = setInterval(() => write('beat', {}), beatMs)
  const life = setTimeout(() => raw.end(), lifeMs)
  return {
    greet: ({ id, topics }: Change) => write('ready', { topics }, id),
    tell: ({ id, topics }: Change) => write('change', { topics }, id),
    end: () => void raw.end(),
    whenClosed(act: () => void) {
      const close = () => {
        clearInterval(beat)
        clearTimeout(life)
        act()
      }
      // The browser may have left while its session was looked up.
      if (raw.closed) close()
      else raw.once('close', close)
    },
  }
}

function forPeople(): Refusal {
  const text =
    'This stream keeps the pages of the app fresh, for people who are signed in there. Programs read meta.changes, or register a webhook.'
  return refuse('role_required', text, { fix: { tool: 'meta.changes', arguments: {} } })
}

function noBusiness(): Refusal {
  const text = 'business_id must be a business of which this person is a member.'
  return refuse('not_found', text, { field: 'business_id' })
}

function tooMany(why: string, retryAfter: number): Refusal {
  const text = `${why}: close one, or wait ${retryAfter} s. Pages without a stream ask by themselves.`
  return refuse('rate_limited', text, { retryAfter })
}
