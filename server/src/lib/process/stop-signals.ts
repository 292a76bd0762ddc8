/**
 * Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) request a stop. npm forwards the Ctrl-C that
 * the terminal has already sent to both processes, and a process group that gets a signal gets it
 * through npm as well. So signals within two seconds count as one. A later signal is deliberate:
 * the process then ends without waiting for work under way.
 */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof names)[number]

/** Milliseconds in which further signals count as part of the first one. */
export const oneSignalMs = 2_000

/** Milliseconds within which the process ends after a request to end at once. */
const endMs = 1_000

/** The process, as far as signals and its end are concerned. Tests pass their own. */
export interface SignalledProcess {
  on(name: StopSignal, listener: (name: StopSignal) => void): unknown
  off(name: StopSignal, listener: (name: StopSignal) => void): unknown
  exit(code: number): void
}

export interface StopSignals {
  /** Aborted by the first signal, with its name as the reason. */
  readonly stopSignal: AbortSignal
  /** Work that is done even where the process ends at once. It must not take long. */
  beforeEnd(work: () => Promise<void>): void
  /** Restores the usual effect of signals. */
  stopListening(): void
}

/**
 * Listens from now on. `now` returns the milliseconds of a clock that is never set back.
 * `exceptHangup`: SIGHUP means something else to this process.
 */
export function listenForStop(
  program: SignalledProcess = process,
  now = () => performance.now(),
  { exceptHangup = false } = {},
): StopSignals {
  const heeded = exceptHangup ? names.filter((name) => name !== 'SIGHUP') : names
  const asking = new AbortController()
  let first: number | undefined
  let ending = false
  let lastWork = async () => {}
  const onSignal = (name: StopSignal) => {
    first ??= now()
    if (now() - first >= oneSignalMs && !ending) {
      ending = true
      const done = lastWork().catch(() => {})
      void Promise.race([done, sleep(endMs)]).then(() =>
        program.exit(128 + constants.signals[name]),
      )
    }
    asking.abort(name)
  }
  for (const name of heeded) program.on(name, onSignal)
  return {
    stopSignal: asking.signal,
    beforeEnd(work) {
      lastWork = work
    },
    stopListening() {
      for (const name of heeded) program.off(name, onSignal)
    },
  }
}

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

/** Stops a running service: only once, and never for longer than its limit. */
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
