/** After a kill the service becomes ready again, started only by its supervisor. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from './kill.ts'
import { answersNow, type ServiceProcess } from './service-process.ts'

/** The time limit for becoming ready; recovery after such a storm takes a second or two. */
export const backWithin = 120_000

export interface Killed {
  kind: Kind
  /** `performance.now()` of the kill. */
  at: number
  service: ServiceProcess
}

/** Starts a killed service again and changes nothing else; returns the running process. */
export async function comeBack(
  { kind, at, service }: Killed,
  start: (port: number) => Promise<ServiceProcess>,
): Promise<ServiceProcess> {
  if (kind === 'service' || kind === 'both') return start(service.port)
  // A single answer may come just before the service notices the death, so three must follow.
  for (let steady = 0; steady < 3; ) {
    assert.ok(performance.now() - at < backWithin, `not back: ${service.printed()}`)
    steady = (await answersNow(`${service.origin}/readyz`)) ? steady + 1 : 0
    await sleep(20)
  }
  return service
}
