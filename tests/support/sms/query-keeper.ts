/** A web server that accepts every request and stores its query. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface QueryKeeper {
  url: string
  kept: URLSearchParams[]
  close(): void
}

export async function queryKeeper(): Promise<QueryKeeper> {
  const kept: URLSearchParams[] = []
  const server = createServer((request, response) => {
    kept.push(new URL(request.url ?? '/', 'http://here').searchParams)
    response.writeHead(200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
