/**
 * A response that is sent before the body has arrived completely: the body is too large, or the
 * caller is unknown. A connection that is closed while its client still sends is reset, and most
 * clients then report a broken pipe and never read the response. So the rest of the body is read
 * and dropped for a while (RFC 9112 section 9.6), and the connection is closed after that.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../config.ts'

/** The most that is read and dropped: bytes, and milliseconds after the response. */
const drop = { bytes: 64 * 1024 * 1024, ms: 5_000, lookMs: 25 }

/**
 * Called before a response is sent. A small body that is still arriving needs no special treatment.
 */
export function answerBeforeBody({ raw: request }: FastifyRequest, reply: FastifyReply): void {
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
