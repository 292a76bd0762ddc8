/** A receiver of Crier's webhooks with Fastify: WEBHOOK_SECRET=whsec_… node fastify.ts */
import { CrierError, verifyWebhook } from '@crier-mail/sdk/node'
import { fastify } from 'fastify'
import { openInbox } from './inbox.ts'
import { work } from './work.ts'

const inbox = openInbox({ file: process.env['INBOX'] ?? 'inbox.sqlite', work })
const app = fastify()

// The parser is registered in its own scope, so that other routes keep their JSON parser.
app.register(async (scope) => {
  // The signature covers the raw bytes of the body.
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  scope.post<{ Body: Buffer }>('/webhooks', async ({ body, headers }, reply) => {
    const secret = process.env['WEBHOOK_SECRET']
    inbox.add(verifyWebhook({ body, headers, secret }))
    return reply.code(204).send()
  })

  scope.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof CrierError)) throw error
    return reply.code(400).send(error.toJSON())
  })
})

await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.log('listening on', app.server.address())
