/**
 * Metrics on demand: a process that is not scraped loads nothing and counts nothing. Its counters
 * begin with the first scrape, which Prometheus takes for a start of the process.
 */
import { lazily } from '../concurrency/lazily.ts'
import type { MetricSources, Metrics } from './metrics.ts'

export interface LazyMetrics {
  called(operation: string, outcome: string, seconds: number): void
  scrape(): Promise<{ contentType: string; text: string }>
}

export function createLazyMetrics(sources: MetricSources): LazyMetrics {
  let made: Metrics | undefined
  const metrics = lazily(async () => {
    const { createMetrics } = await import('./metrics.ts')
    made = createMetrics(sources)
    return made
  })
  return {
    called: (...call) => made?.called(...call),
    async scrape() {
      const { contentType, print } = await metrics.get()
      return { contentType, text: await print() }
    },
  }
}
