/** A reverse proxy that appends the caller's address to `X-Forwarded-For`. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AppendingProxy {
  port: number
  close(): Promise<void>
}

export async function appendingProxy(targetPort: number): Promise<AppendingProxy> {
  const server = http.createServer((incoming, answer) => {
    const said = incoming.headers['x-forwarded-for'] as string | undefined
    const peer = incoming.socket.remoteAddress ?? ''
    const headers = { ...incoming.headers, 'x-forwarded-for': said ? `${said}, ${peer}` : peer }
    const { method, url: path } = incoming
    const target = { host: '127.0.0.1', port: targetPort, method, path, headers }
    const outgoing = http.request(target, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
