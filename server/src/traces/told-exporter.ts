/** Tells the log when spans do not arrive at the collector: once, and once when they do again. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../lib/process/log.ts'

export function toldExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false
  const tell = ({ code, error }: ExportResult) => {
    const arrived = code === ExportResultCode.SUCCESS
    if (arrived && isAway) log.info('traces.sent_again')
    if (!arrived && !isAway) log.warn({ err: error }, 'traces.not_sent')
    isAway = !arrived
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        tell(result)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
