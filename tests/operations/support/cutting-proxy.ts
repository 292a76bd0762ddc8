/**
 * A proxy between clients and the service: requests pass, and responses are held. So a test knows
 * that the service has answered and its client has not got the answer.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  port: number
  /** Resolves to the bodies of this many responses, once they are complete. */
  kept(count: number): Promise<string[]>
  /** Breaks every connection. */
  close(): Promise<void>
}

export async function cuttingProxy(servicePort: number): Promise<CuttingProxy> {
  const bodies: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const service = connect(servicePort, '127.0.0.1')
    for (const socket of [client, service]) {
      sockets.add(socket)
      // The test kills both ends deliberately.
      socket.on('error', () => {})
    }
    client.pipe(service)
    let answer = Buffer.alloc(0)
    service.on('data', (piece) => {
      answer = Buffer.concat([answer, piece])
      const body = wholeBody(answer)
      if (body === undefined) return
      bodies.push(body)
      server.emit('kept')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async kept(count) {
      while (bodies.length < count) await once(server, 'kept')
      return bodies
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** The body of a complete HTTP response (RFC 9112, section 6.2). */
function wholeBody(answer: Buffer): string | undefined {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, head))?.[1]
  const body = answer.subarray(head + 4)
  return body.length < Number(length) ? undefined : body.toString()
}
