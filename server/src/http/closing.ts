/**
 * How connections end when the service stops. Node closes those that rest between two requests,
 * once; one that is answered a moment later, one that a browser opened ahead of need, and one
 * whose request does not end would each hold the stop up for up to a minute.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between two looks, and those in which the first request of a connection comes. */
const times = { lookMs: 50, firstRequestMs: 500 }

/** Ends all connections within `graceMs` of the server's close, answered ones at once. */
export function endConnections(server: FastifyInstance, graceMs: number): void {
  /** Those on which nothing was asked yet, and since when (`performance.now`). */
  const unused = new Map<Socket, number>()
  let closing = false
  server.server.on('connection', (socket: Socket) => {
    unused.set(socket, performance.now())
    socket.once('close', () => unused.delete(socket))
  })
  server.addHook('onRequest', (request, _reply, done) => {
    unused.delete(request.raw.socket)
    done()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // A client that reads it asks nothing more on this connection.
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
