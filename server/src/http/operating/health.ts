/** `/healthz`: the process responds. `/readyz`: it is able to work. */

import type { FastifyInstance } from 'fastify'
import { sendingPause } from '../../core/installation/sending.ts'
import { outageOf, outageWords } from '../../lib/db/outage.ts'
import type { OutageWatch } from '../../lib/db/outage-watch.ts'
import type { Database } from '../../lib/db/types.ts'
import { countWorkers } from '../../lib/jobs/health.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { failQuietly } from '../server.ts'

export interface HealthDeps {
  /** Each check returns undefined, or the fault in one clause. */
  checks: Record<string, () => Promise<string | undefined>>
  /** It is about to stop, and asks for no further callers while it serves those that come. */
  leaving?: () => boolean
}

interface Checked {
  db: Database
  clock: Clock
  role: 'api' | 'worker' | 'all'
  watch: Pick<OutageWatch, 'check' | 'current'>
}

/**
 * The needs of a process in this role. An api node accepts calls whether or not a worker is alive
 * at the moment, or the death of the workers would take the api down as well.
 */
export function commonChecks({ db, clock, role, watch }: Checked): HealthDeps['checks'] {
  const database = async () => {
    const check = watch.check()
    const current = () => watch.current()?.outage
    const outage = (await inTime(check, knownOutageMs, current)) ?? (await check)
    return outage && `${outageWords[outage].is}. ${outageWords[outage].mend}`
  }
  if (role === 'api') return { database }
  return {
    database,
    workers: async () => {
      // Sending waits for a person (crier sending start), and calls are accepted meanwhile.
      if (await sendingPause(db)) return undefined
      const workers = await countWorkers(db, clock.now())
      return workers > 0 ? undefined : 'none is alive: start one with crier serve --role worker'
    },
  }
}

export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    if (deps.leaving?.()) {
      reply.code(503).header('cache-control', 'no-store')
      return { status: 'stopping', checks: {} }
    }
    const results = await Promise.all(
      Object.entries(deps.checks).map(async ([name, check]) => {
        try {
          return [name, (await inTime(check(), patienceMs, noAnswer)) ?? 'ok'] as const
        } catch (error) {
          const outage = outageOf(error)
          const why = outage ? `unknown: the database ${outageWords[outage].is}` : 'failed'
          return [name, why] as const
        }
      }),
    )
    const ready = results.every(([, result]) => result === 'ok')
    // A proxy asks every few seconds.
    if (!ready) failQuietly(request)
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store')
    return { status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) }
  })
}

/** A proxy waits a second or two for the answer, and a database that is away may hang for a minute. */
const patienceMs = 800
const noAnswer = (): string | undefined => 'no answer within a second'

/** How long a try of the database may last before the outage that is known already is the answer. */
const knownOutageMs = 400

function inTime<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(late()), ms)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}
