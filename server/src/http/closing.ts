/**
 * Ends connections when the service stops. Node closes idle connections only once. A connection
 * that finishes a response a moment later, that a browser opened in advance, or whose request never
 * ends would each delay the stop by up to a minute.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between two checks, and those within which a connection's first request comes. */
const times = { lookMs: 50, firstRequestMs: 500 }

const lastAnswers = new WeakMap<FastifyInstance, () => void>()

/** From now on each answer ends its connection, so that few are left when the server closes. */
export function endAfterAnswers(server: FastifyInstance): void {
  lastAnswers.get(server)?.()
}

/**
 * Ends all connections within `graceMs` of the server's close, and those with a finished response
 * at once.
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
