import { isPatientOutage } from '../db/outage.ts'
import { type Clock, later, seconds } from '../time/clock.ts'
import { afterFailure, defaults, type Job, type JobKind, type Verdict } from './job.ts'

export class JobTimeout extends Error {
  override name = 'JobTimeout'
}

/** Our own reasons to end a try early. */
export const leaseLost = Symbol('lease lost')
export const stopping = Symbol('stopping')

const afterOutageMs = seconds(1)

/** The outcome of one try, and the error where it failed. */
export interface Tried {
  verdict: Verdict
  error?: unknown
}

/** Runs a job within its time limit. Does not wait for work that ignores the signal. */
export async function tryJob(
  kind: JobKind,
  job: Job,
  abort: AbortController,
  clock: Clock,
): Promise<Tried> {
  const timeout = setTimeout(
    () => abort.abort(new JobTimeout()),
    kind.timeoutMs ?? defaults.timeoutMs,
  )
  try {
    const verdict = await Promise.race([kind.run(job, abort.signal), aborted(abort.signal)])
    return { verdict: verdict ?? finished(kind, job, clock) }
  } catch (error) {
    if (abort.signal.reason === stopping) {
      return { verdict: kind.lapses ? { outcome: 'settled' } : returned(clock) }
    }
    // Another worker has the job now and will settle it. The fence would refuse this settle too.
    if (abort.signal.reason === leaseLost) return { verdict: { outcome: 'settled' } }
    // The job is not at fault, so this costs it no attempt.
    if (isPatientOutage(error)) {
      return { verdict: { outcome: 'returned', at: later(clock.now(), afterOutageMs) }, error }
    }
    return { verdict: afterFailure(kind, job, clock, error), error }
  } finally {
    clearTimeout(timeout)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function returned(clock: Clock): Verdict {
  return { outcome: 'returned', at: clock.now() }
}

/** Periodic jobs keep their schedule. Runs that were missed without a worker are not repeated. */
function finished({ everyMs }: JobKind, { dueAt }: Job, clock: Clock): Verdict {
  if (everyMs === undefined) return { outcome: 'done' }
  const now = clock.now()
  const next = later(dueAt, everyMs)
  return { outcome: 'again', at: next > now ? next : later(now, everyMs) }
}
