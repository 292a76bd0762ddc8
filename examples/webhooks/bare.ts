/** A receiver of Crier's webhooks on Node alone: WEBHOOK_SECRET=whsec_… node bare.ts */
import { createServer, type IncomingMessage } from 'node:http'
import { CrierError, verifyWebhook } from '@crier-mail/sdk/node'
import { openInbox } from './inbox.ts'
import { work } from './work.ts'

const inbox = openInbox({ file: process.env['INBOX'] ?? 'inbox.sqlite', work })
const longestBody = 1_000_000

async function receive(request: IncomingMessage): Promise<{ status: number; body?: string }> {
  if (request.method !== 'POST' || request.url !== '/webhooks') return { status: 404 }
  const body = await rawBody(request)
  if (!body) return { status: 413 }
  try {
    const { headers } = request
    inbox.add(verifyWebhook({ body, headers, secret: process.env['WEBHOOK_SECRET'] }))
    return { status: 204 }
  } catch (error) {
    if (!(error instanceof CrierError)) throw error
    return { status: 400, body: JSON.stringify(error) }
  }
}

/** Returns the raw body, whose bytes the signature covers; undefined if it is too large. */
async function rawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > longestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer((request, response) => {
  receive(request).then(
    ({ status, body }) => response.writeHead(status).end(body),
    (error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log('listening on', server.address())
})
