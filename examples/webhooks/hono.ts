/** A receiver of Crier's webhooks with Hono, on WebCrypto alone: WEBHOOK_SECRET=whsec_… node hono.ts */
import { honoHandler } from '@crier-mail/sdk/webhooks'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openInbox } from './inbox.ts'
import { work } from './work.ts'

const inbox = openInbox({ file: process.env['INBOX'] ?? 'inbox.sqlite', work })
const app = new Hono()

// On Workers, Bun and Deno export `app` in place of the server below, and take a table for the inbox.
app.post(
  '/webhooks',
  honoHandler({
    secret: () => process.env['WEBHOOK_SECRET'],
    onEvent: (event) => inbox.add(event),
  }),
)

const server = serve({
  fetch: app.fetch,
  hostname: '127.0.0.1',
  port: Number(process.env['PORT'] ?? 3000),
})
server.on('listening', () => console.log('listening on', server.address()))
