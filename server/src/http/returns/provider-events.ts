/** Receives delivery events of our mail's providers: `POST /hooks/email/<provider>`. */
import type { FastifyInstance } from 'fastify'
import { type FeedbackDeps, ingestReports } from '../../bounces/ingest-reports.ts'
import type { Provider } from '../../bounces/providers/provider.ts'
import { limits } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { boundBodies } from '../body.ts'

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
    scope.post<{ Params: { provider: string } }>('/hooks/email/:provider', async (request) => {
      const { provider: name } = request.params
      const provider = providers.get(name)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const header = (key: string) => {
        const value = request.headers[key]
        return Array.isArray(value) ? value[0] : value
      }
      const now = clock.now()
      if (!provider) throw notSetUp()
      const received = await provider.read({ header, body, now })
      // A provider may repeat its reports. Each is recorded once.
      const recorded = await ingestReports(reports, received, now)
      log.info(
        { request_id: request.id, provider: name, told: received.length, taken: recorded },
        'provider.told',
      )
      return { taken: recorded }
    })
  })
}

function notSetUp(): Refusal {
  const text = 'This provider is not set up here. docs/design/coming-back.md says which there are.'
  return refuse('not_found', text)
}
