/** After a kill: the service is ready again, without a hand but its supervisor's. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from './kill.ts'
import { answersNow, type ServiceProcess } from './service-process.ts'

/** Within this it must be ready again; recovery after such a storm takes a second or two. */
export const backWithin = 120_000

export interface Killed {
  kind: Kind
  /** `performance.now()` of the kill. */
  at: number
  service: ServiceProcess
}

/** A killed service is started again; nothing else is touched. Gives the one that runs. */
export async function comeBack(
  { kind, at, service }: Killed,
  start: (port: number) => Promise<ServiceProcess>,
): Promise<ServiceProcess> {
  if (kind === 'service' || kind === 'both') return start(service.port)
  // Not the answer of the moment before the death is noticed: one that lasts.
  for (let steady = 0; steady < 3; ) {
    assert.ok(performance.now() - at < backWithin, `not back: ${service.printed()}`)
    steady = (await answersNow(`${service.origin}/readyz`)) ? steady + 1 : 0
    await sleep(20)
  }
  return service
}
