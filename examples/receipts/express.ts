/** Sends a receipt for each order: CRIER_URL=https://… CRIER_API_KEY=crk_… node express.ts */
import { CrierError, createClient } from '@crier-mail/sdk'
import express, { type NextFunction, type Request, type Response } from 'express'

const client = createClient({
  url: process.env['CRIER_URL'] ?? 'http://localhost:8080',
  apiKey: process.env['CRIER_API_KEY'] ?? '',
  // A try that takes longer is given up, and the next one has the same idempotency key.
  timeout: Number(process.env['CRIER_TIMEOUT'] ?? 10_000),
})

const app = express()
app.use(express.json())

app.post('/orders', async (request, response) => {
  const { id, email, total } = request.body as { id: string; email: string; total: string }
  const { message_id } = await client.email.send({
    to: email,
    subject: `Your receipt for order ${id}`,
    text: `Thank you. You paid ${total}.`,
    tags: ['receipt'],
    metadata: { order: id },
    // However often this order is posted or tried, its receipt is sent once.
    idempotency_key: `receipt-${id}`,
  })
  response.status(202).json({ message_id })
})

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (!(error instanceof CrierError)) return next(error)
  // The SDK has tried again by itself. What still fails is the order's fault, or lasts longer.
  response.status(error.status === 400 ? 400 : 503).json(error)
})

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log('listening on', server.address())
})
