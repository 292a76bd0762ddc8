/**
 * Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) ask the process to stop. npm passes
 * on the Ctrl-C that the terminal has given to both of them, and a process group that is told
 * to end is told through npm as well; so signals that come within two seconds count as one.
 * A later one is deliberate: the process then ends without waiting for what is under way.
 */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof names)[number]

/** Milliseconds in which further signals belong to the first one. */
export const oneSignalMs = 2_000

/** Milliseconds that the process takes at most to end where it is told to at once. */
const endMs = 1_000

/** The process, as far as signals and ending it are concerned; a test passes one of its own. */
export interface SignalledProcess {
  on(name: StopSignal, listener: (name: StopSignal) => void): unknown
  off(name: StopSignal, listener: (name: StopSignal) => void): unknown
  exit(code: number): void
}

export interface StopSignals {
  /** Aborted by the first signal, with its name as the reason. */
  readonly asked: AbortSignal
  /** What has to be done even where the process ends at once. It must not wait for long. */
  beforeEnd(work: () => Promise<void>): void
  /** Signals have their usual effect again. */
  stopListening(): void
}

/** Listens from now on. `now` gives milliseconds of a clock that is never set back. */
export function listenForStop(
  program: SignalledProcess = process,
  now = () => performance.now(),
): StopSignals {
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
  for (const name of names) program.on(name, onSignal)
  return {
    asked: asking.signal,
    beforeEnd(work) {
      lastWork = work
    },
    stopListening() {
      for (const name of names) program.off(name, onSignal)
    },
  }
}
