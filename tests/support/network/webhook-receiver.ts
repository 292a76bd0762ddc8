/** A receiver as a developer would write it: verifies each delivery, stores its event, answers. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type CrierEvent, verifyWebhook } from '@crier-mail/sdk/node'

export interface Received {
  event: CrierEvent
  deliveryId: string
  headers: IncomingHttpHeaders
}

export interface WebhookReceiver {
  url: string
  /** The verified events in order. */
  received: Received[]
  /** The status for verified deliveries, 204 by default. All others get 400. */
  status: number
  close(): void
}

export async function webhookReceiver(secret: () => string, port = 0): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { headers } = request
      try {
        const event = verifyWebhook({ body, headers, secret: secret() })
        receiver.received.push({ event, headers, deliveryId: String(headers['x-svc-delivery']) })
        response.writeHead(receiver.status).end()
      } catch (error) {
        response.writeHead(400).end(JSON.stringify(error))
      }
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received: [],
    status: 204,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receiver
}
