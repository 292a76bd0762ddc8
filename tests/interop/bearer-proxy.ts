/**
 * Adds a bearer token to every request, for programs that cannot send one. Everything else passes
 * unchanged, including Host and Origin, which are under test.
 */
import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BearerProxy {
  /** `http://localhost:port`, without a trailing slash. */
  url: string
  close(): Promise<void>
}

export async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(target)
  const pass: RequestListener = (incoming, outgoing) => {
    const headers = [...incoming.rawHeaders, 'Authorization', `Bearer ${token}`]
    const { method, url: path } = incoming
    const onward = request({ hostname, port, method, path, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
  const server = createServer(pass).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
