/** `/metrics` for Prometheus: for this machine itself, or with METRICS_TOKEN. */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { LazyMetrics } from '../../lib/metrics/lazy-metrics.ts'

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
  const given = headers.authorization ?? ''
  return timingSafeEqual(sha256(given), sha256(`Bearer ${token}`))
}
