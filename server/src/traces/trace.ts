/**
 * Traces over OTLP, with OpenTelemetry's own packages and no automatic instrumentation. This file
 * and they are loaded only where OTEL_EXPORTER_OTLP_ENDPOINT is set.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracesConfig } from '../config/traces.ts'
import { ignoreError } from '../lib/concurrency/ignore-error.ts'
import { type Follower, followWith, type Work } from '../lib/observing/observed.ts'
import type { Log } from '../lib/process/log.ts'
import { toldExporter } from './told-exporter.ts'

export interface Traces {
  /** Runs what a request causes within the trace that the request names, if it names one. */
  within(headers: IncomingHttpHeaders, act: () => void): void
  /** Sends what is left. */
  stop(): Promise<void>
}

export interface TraceParts {
  config: TracesConfig
  log: Log
  version: string
  role: string
  /** Keeps the trace of a call for the deliveries of its events, which other processes may make. */
  keep(requestId: string, traceparent: string): Promise<unknown>
  /** The trace of the call that an event comes from. */
  find(event: NonNullable<Work<unknown>['event']>): Promise<string | undefined>
}

const kinds = {
  call: SpanKind.SERVER,
  statement: SpanKind.CLIENT,
  send: SpanKind.CLIENT,
  delivery: SpanKind.CLIENT,
} as const
const propagator = new W3CTraceContextPropagator()

/** How long a stop waits for the collector. */
const stopMs = 2_000

/** A collector that is away keeps at most so many spans in memory; the rest are dropped. */
const mostSpans = 2_048

export function startTraces(parts: TraceParts): Traces {
  const { config, log, version, role } = parts
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'crier',
      'service.version': version,
      'crier.role': role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: toldExporter(
          new OTLPTraceExporter({
            url: config.url,
            headers: config.headers,
            timeoutMillis: config.timeoutMs,
          }),
          log,
        ),
        maxQueueSize: mostSpans,
        scheduledDelayMillis: config.everyMs,
      }),
    ],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const tracer = provider.getTracer('crier', version)
  const follower = createFollower(parts, tracer)
  followWith(follower)
  return {
    within(headers, act) {
      const from = propagator.extract(context.active(), headers, defaultTextMapGetter)
      context.with(from, act)
    },
    async stop() {
      followWith(undefined)
      const patience = sleep(stopMs, undefined, { ref: false })
      await ignoreError('spans may be lost', Promise.race([provider.shutdown(), patience]))
      context.disable()
    },
  }
}

type Tracer = ReturnType<TracerProvider['getTracer']>

function createFollower({ keep, find }: TraceParts, tracer: Tracer): Follower {
  const headersOf = (within: Context): Record<string, string> => {
    const headers: Record<string, string> = {}
    propagator.inject(within, headers, defaultTextMapSetter)
    return headers
  }
  /** The context of the call that an event comes from, or a new trace. */
  const contextOf = async ({ event }: Work<unknown>): Promise<Context> => {
    const traceparent = event && (await find(event).catch(() => undefined))
    if (traceparent === undefined) return context.active()
    return propagator.extract(context.active(), { traceparent }, defaultTextMapGetter)
  }
  const keepFor = async (work: Work<unknown>, within: Context): Promise<void> => {
    const requestId = work.details?.['crier.request_id']
    const { traceparent } = headersOf(within)
    if (work.kind !== 'call' || requestId === undefined || traceparent === undefined) return
    // Without it the deliveries of the call's events begin traces of their own.
    await keep(requestId, traceparent).catch(() => {})
  }
  return {
    headers: () => headersOf(context.active()),
    async follow(work, run) {
      const { kind, name, resultOf, details } = work
      // The service looks at its queue all the time, which nobody wants to see.
      if (kind === 'statement' && !trace.getActiveSpan()?.isRecording()) return run()
      const parent = await contextOf(work)
      const span = tracer.startSpan(
        `${kind} ${name}`,
        { kind: kinds[kind], attributes: { ...details } },
        parent,
      )
      const within = trace.setSpan(parent, span)
      if (span.isRecording()) await keepFor(work, within)
      try {
        const value = await context.with(within, run)
        span.setAttribute('crier.result', resultOf?.(value) ?? 'ok')
        return value
      } catch (error) {
        // Its message may hold what a person gave.
        span.setAttribute('crier.result', 'error')
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
  }
}
