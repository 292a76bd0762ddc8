/**
 * How far a campaign is: as events (WHATWG HTML, "Server-sent events") to whoever asks for
 * `text/event-stream`, and as one answer to whoever polls.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { campaignProgress } from '../../campaigns/progress.ts'
import { canFail, isRefusal } from '../../platform/errors.ts'
import type { Caller } from '../authenticate.ts'
import type { Door } from '../door.ts'
import type { RestDeps } from './routes.ts'

/** How often it looks. */
const lookMs = 1_000
/** A stream ends then, and its client comes again: a revoked connection sees no more of it. */
const lifeMs = 60_000
/** What a client waits before it comes again, or polls. */
const againMs = 2_000
/** Streams of one process; beyond, an answer is given and the client comes again. */
const mostStreams = 200

interface Progress {
  status: string
}

export function registerProgress(
  scope: FastifyInstance,
  { call }: Pick<RestDeps, 'call'>,
  { callerOf, refuseWith }: Door,
): void {
  const streams = new Set<AbortController>()
  // A stop waits for streams otherwise.
  scope.addHook('preClose', async () => {
    for (const stream of streams) stream.abort()
  })

  scope.get('/v1/campaigns/:campaign_id/progress', async (request, reply) => {
    const { campaign_id } = request.params as { campaign_id: string }
    const { business_id } = request.query as { business_id?: string }
    const input = { campaign_id, ...(business_id !== undefined && { business_id }) }
    const look = (caller: Caller) => call(campaignProgress, input, caller, request.id)
    const caller = callerOf(request)
    const first = await look(caller)
    if (isRefusal(first)) return refuseWith(reply, request, first)
    const wantsEvents = request.headers.accept?.includes('text/event-stream') ?? false
    if (!wantsEvents || streams.size >= mostStreams) {
      return reply.header('retry-after', String(againMs / 1000)).send(first)
    }
    const gone = new AbortController()
    streams.add(gone)
    request.raw.once('close', () => gone.abort())
    try {
      await stream(request, reply, { first, look: () => look(caller), signal: gone.signal })
    } finally {
      streams.delete(gone)
    }
    return reply
  })
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
    // A line that says nothing keeps the way open.
    raw.write(id === last ? ':\n\n' : `id: ${id}\nevent: progress\ndata: ${data}\n\n`)
    last = id
    if (isOver(seen as Progress)) {
      raw.write('event: end\ndata: {}\n\n')
      break
    }
    if (Date.now() >= until) break
    await canFail('the client left', sleep(lookMs, undefined, { signal }))
    if (!signal.aborted) seen = await look()
  }
  raw.end()
}

const isOver = ({ status }: Progress) => status === 'completed' || status === 'cancelled'
