/**
 * A second HTTP server for the operator's network alone: `/healthz`, `/readyz` and `/metrics` on
 * STATUS_PORT. A worker serves nothing else, so without it nobody could check its health.
 */
import type { FastifyInstance } from 'fastify'
import { limits } from '../config.ts'
import { type HealthDeps, registerHealth } from '../http/operating/health.ts'
import { type MetricsDeps, registerMetrics } from '../http/operating/metrics.ts'
import { createServer } from '../http/server.ts'
import type { AppParts } from './app-parts.ts'

/** Undefined if STATUS_PORT is not set. */
export function createStatusServer(
  { config, log }: Pick<AppParts, 'config' | 'log'>,
  parts: HealthDeps & MetricsDeps,
): { start(): Promise<void>; stop(): Promise<void> } | undefined {
  const { statusPort: port, statusHost: host } = config
  if (port === undefined) return undefined
  const server: FastifyInstance = createServer({
    log,
    bodyLimit: limits.bodyBytes,
    trustProxy: false,
    https: false,
  })
  registerHealth(server, parts)
  registerMetrics(server, parts)
  return {
    start: async () => void (await server.listen({ port, host })),
    stop: () => server.close(),
  }
}
