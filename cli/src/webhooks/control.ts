/** The loopback endpoint through which `crier trigger` hands events to a listener. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { CrierEvent } from '@crier-mail/sdk'
import type { Outcome } from './deliveries.ts'
import type { Listener } from './running.ts'

export interface Control {
  port: number
  token: string
  close(): void
}

/** An event to deliver, or a request to send the failed ones again. */
export type ControlRequest = { event: CrierEvent } | { again: true }

/** The response to a request contains the outcomes of its events. */
export async function openControl(
  grant: (wish: ControlRequest) => Promise<Outcome[]>,
): Promise<Control> {
  const token = randomBytes(24).toString('base64url')
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isBearer(request.headers.authorization, token)) return void response.writeHead(401).end()
    const outcomes = await grant((await json(request)) as ControlRequest)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(outcomes))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    token,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Sends a request to that listener; `gone` where it does not respond. */
export async function ask(
  { port, token }: Listener,
  wish: ControlRequest,
): Promise<Outcome[] | 'gone'> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  }).catch(() => undefined)
  // Another program may have that port by now, but it does not know the token.
  return response?.status === 200 ? ((await response.json()) as Outcome[]) : 'gone'
}

function isBearer(given = '', token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(`Bearer ${token}`)]
  return a.length === b.length && timingSafeEqual(a, b)
}
