/**
 * The composition root: builds the services (`services.ts`) and the HTTP server (`http.ts`), and
 * starts and stops them in order.
 */

import type { FastifyInstance } from 'fastify'
import type { AppParts } from './app-parts.ts'
import { createHttp } from './http.ts'
import { createServices } from './services.ts'

export interface App {
  server: FastifyInstance
  /** Starts timers and, where the role includes it, background work. */
  start(): Promise<void>
  /** Accepts no new work, waits for what is under way, and gives claimed jobs back. */
  stop(): Promise<void>
}

export function createApp(parts: AppParts): App {
  const { config } = parts
  const services = createServices(parts)
  const { outbound, transport, templates, writing, bounces, texting, sending, worker } = services
  const { server, rate, lastUse, counter } = createHttp(parts, services)

  return {
    server,
    async start() {
      rate.start()
      if (config.bouncePort !== undefined) {
        await (await bounces.get()).listen(config.bouncePort, config.bounceHost)
      }
      if (config.role === 'api') return
      await sending.start()
      await worker.start()
      texting.transport.listen()
    },
    async stop() {
      await server.close()
      await bounces.ifMade((made) => made.close())
      if (config.role !== 'api') await worker.stop()
      await sending.stop()
      await Promise.all([rate.stop(), lastUse.stop(), counter.stop()])
      await Promise.all([
        transport.close(),
        texting.transport.close(),
        templates.close(),
        writing.close(),
        outbound.ifMade((made) => made.close()),
      ])
    },
  }
}
