/** Receives delivery events of our mail's providers: `POST /hooks/email/<provider>`. */
import type { FastifyInstance } from 'fastify'
import { type FeedbackDeps, ingestReports } from '../../bounces/ingest-reports.ts'
import type { Provider } from '../../bounces/providers/provider.ts'
import { limits } from '../../config.ts'
import { isRefusal, type Refusal, refuse, statusOf } from '../../core/errors.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { boundBodies } from '../body.ts'
import { errorBody } from '../error-body.ts'

export interface ProviderRoutes {
  /** The configured providers, by their name in the path. */
  providers: ReadonlyMap<string, Provider>
  reports: FeedbackDeps
  clock: Clock
  log: Log
}

export function registerProviderEvents(
  app: FastifyInstance,
  { providers, reports, clock, log }: ProviderRoutes,
): void {
  app.register(async (scope) => {
    // Signatures cover the bytes, whatever their declared type: SNS sends its JSON as text/plain.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    boundBodies(scope, limits.providerEventBytes)
    scope.post<{ Params: { provider: string } }>(
      '/hooks/email/:provider',
      async (request, reply) => {
        const { provider: name } = request.params
        const provider = providers.get(name)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const header = (key: string) => {
          const value = request.headers[key]
          return Array.isArray(value) ? value[0] : value
        }
        const now = clock.now()
        const told = provider ? await provider.read({ header, body, now }) : notSetUp()
        if (isRefusal(told))
          return reply.code(statusOf[told.code]).send(errorBody(told, request.id))
        // A provider may repeat its reports. Each is recorded once.
        const taken = await ingestReports(reports, told, now)
        log.info(
          { request_id: request.id, provider: name, told: told.length, taken },
          'provider.told',
        )
        return { taken }
      },
    )
  })
}

function notSetUp(): Refusal {
  const text = 'This provider is not set up here. docs/design/coming-back.md says which there are.'
  return refuse('not_found', text)
}
