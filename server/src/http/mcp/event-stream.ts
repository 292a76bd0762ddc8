/** How an answer is written: as JSON, or as the events of a stream. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../lib/process/log.ts'
import { type Answer, type RequestId, rpcCodes, rpcError } from './protocol.ts'

interface EventStream {
  /** Absent where the client accepts no event stream. */
  notify?: (message: string) => void
  end(answer: Answer): FastifyReply
  /** Ends a stream whose call threw, for which nobody would be answered; throws on where none is open. */
  fail(error: unknown, call: { id: RequestId; log: Log }): FastifyReply
}

/**
 * Always JSON, except where messages go ahead of the answer, or where the client accepts nothing but
 * events (never a 406).
 */
export function eventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  let isOpen = false
  const notify = (message: string) => {
    if (!isOpen) {
      isOpen = true
      reply.headers(eventHeaders).hijack()
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
    }
    reply.raw.write(eventOf(message))
  }
  const end = (answer: Answer): FastifyReply => {
    if (!isOpen) return write(request, reply, answer)
    for (const message of [...(answer.ahead ?? []), answer.json ?? '']) notify(message)
    reply.raw.end()
    return reply
  }
  return {
    ...(takesEvents(request) && { notify }),
    end,
    fail(error, { id, log }) {
      if (!isOpen) throw error
      log.error({ err: error, request_id: request.id }, 'http.error')
      return end(failed(id, request.id))
    },
  }
}

const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
}

const eventOf = (json: string) => `event: message\ndata: ${json}\n\n`

export function write(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status)
  const { json, ahead = [] } = answer
  if (json === undefined) return reply.send()
  const hasEvents = ahead.length > 0 && takesEvents(request)
  if (answer.status === 200 && (hasEvents || onlyTakesEvents(request.headers.accept))) {
    return reply.headers(eventHeaders).send([...ahead, json].map(eventOf).join(''))
  }
  return reply.header('content-type', 'application/json').send(json)
}

export const takesEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') ?? false

function onlyTakesEvents(accept: string | undefined): boolean {
  if (!accept?.includes('text/event-stream')) return false
  return !/application\/(json|\*)|\*\/\*/i.test(accept)
}

/** The answer to a call that failed after its stream was opened, whose status has been sent. */
function failed(id: RequestId, requestId: string): Answer {
  const text = `Something failed here, and the log has it under ${requestId}. Look at what the call was to change before you repeat it.`
  return rpcError(200, id, rpcCodes.internal, text, { code: 'internal', request_id: requestId })
}
