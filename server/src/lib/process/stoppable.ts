/** Stops a running service: only once, and never for longer than its limit. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Running {
  /** Resolves when the process has stopped cleanly, or has given up on that. */
  stopped: Promise<void>
  stop(): Promise<void>
}

interface Stoppable {
  /** Goes on as before for a while where a signal asks for the stop. */
  drain?: () => Promise<void>
  /** Accepts no new work, lets requests in flight end, and releases claimed rows. */
  close(): Promise<void>
  /** Called where closing does not end in time. */
  giveUp(): Promise<void>
  /** Aborted when a signal requests the stop. */
  stopSignal: AbortSignal
  /** Milliseconds until closing is reported as late, and again until it is given up. */
  stopMs: number
  log: Log
}

export function stoppable({ drain, close, giveUp, stopSignal, stopMs, log }: Stoppable): Running {
  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>()
  // The caller of stop() receives a failure there.
  stopped.catch(() => {})
  let stopping: Promise<void> | undefined
  const stop = (first?: () => Promise<void>) => {
    if (!stopping) {
      stopping = Promise.resolve(first?.()).then(closeInTime)
      stopping.then(resolve, reject)
    }
    return stopping
  }
  const closeInTime = async () => {
    log.info('stopping')
    const closed = close().then(() => 'closed' as const)
    const late = (ref: boolean) => sleep(stopMs, 'late' as const, { ref })
    if ((await Promise.race([closed, late(false)])) === 'closed') return
    log.warn('stop.late')
    if ((await Promise.race([closed, late(true)])) === 'closed') return
    log.error('stop.gave_up')
    await giveUp()
  }
  if (stopSignal.aborted) void stop()
  else stopSignal.addEventListener('abort', () => void stop(drain), { once: true })
  return { stopped, stop: () => stop() }
}
