import type { FastifyInstance } from 'fastify'
import type { Lazy } from '../lib/concurrency/lazily.ts'
import type { Traces } from '../traces/trace.ts'

/** Runs each request within the trace that its `traceparent` names, once traces have started. */
export function followRequests(server: FastifyInstance, traces: Lazy<Traces>): void {
  let started: Traces | undefined
  server.addHook('onReady', async () => {
    started = await traces.get()
  })
  server.addHook('onRequest', (request, _reply, done) => {
    if (started) started.within(request.headers, done)
    else done()
  })
}
