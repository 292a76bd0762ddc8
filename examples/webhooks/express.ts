/** A receiver of Crier's webhooks with Express: WEBHOOK_SECRET=whsec_… node express.ts */
import { CrierError, verifyWebhook } from '@crier-mail/sdk/node'
import express, { type NextFunction, type Request, type Response } from 'express'
import { openInbox } from './inbox.ts'
import { work } from './work.ts'

const inbox = openInbox({ file: process.env['INBOX'] ?? 'inbox.sqlite', work })
const app = express()

// The signature covers the raw bytes, so no express.json() may run before this route.
const rawBody = express.raw({ type: 'application/json', limit: '1mb' })

app.post('/webhooks', rawBody, (request, response) => {
  const event = verifyWebhook({
    body: request.body,
    headers: request.headers,
    secret: process.env['WEBHOOK_SECRET'],
  })
  inbox.add(event)
  response.sendStatus(204)
})

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (!(error instanceof CrierError)) return next(error)
  response.status(400).json(error)
})

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log('listening on', server.address())
})
