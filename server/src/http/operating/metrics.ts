/** `/metrics` for Prometheus: for this machine itself, or with METRICS_TOKEN. */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { MetricSources, Metrics } from '../../lib/metrics/metrics.ts'

export interface MetricsDeps {
  metrics: LazyMetrics
  token: string | undefined
}

export function registerMetrics(app: FastifyInstance, { metrics, token }: MetricsDeps): void {
  app.get('/metrics', async (request, reply) => {
    if (!(token === undefined ? request.isFromThisMachine : bears(request, token))) {
      const mend =
        token === undefined
          ? 'Ask 127.0.0.1 or localhost on its machine without a proxy, or set METRICS_TOKEN to let another machine read them.'
          : 'Send Authorization: Bearer with METRICS_TOKEN.'
      throw refuse('unauthorized', `Metrics are for the operator. ${mend}`)
    }
    const { contentType, text } = await metrics.scrape()
    reply.header('content-type', contentType).header('cache-control', 'no-store')
    return text
  })
}

/** Compares hashes, so that timing reveals neither the token's length nor its beginning. */
function bears({ headers }: FastifyRequest, token: string): boolean {
  const sent = headers.authorization ?? ''
  return timingSafeEqual(sha256(sent), sha256(`Bearer ${token}`))
}

export interface LazyMetrics {
  called(operation: string, outcome: string, seconds: number): void
  scrape(): Promise<{ contentType: string; text: string }>
}

/**
 * Metrics on demand: a process that is not scraped loads nothing and counts nothing. Its counters
 * begin with the first scrape, which Prometheus takes for a start of the process.
 */
export function createLazyMetrics(sources: MetricSources): LazyMetrics {
  let loaded: Metrics | undefined
  const metrics = lazily(async () => {
    const { createMetrics } = await import('../../lib/metrics/metrics.ts')
    loaded = createMetrics(sources)
    return loaded
  })
  return {
    called: (...call) => loaded?.called(...call),
    async scrape() {
      const { contentType, print } = await metrics.get()
      return { contentType, text: await print() }
    },
  }
}
