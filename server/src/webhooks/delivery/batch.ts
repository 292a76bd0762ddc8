/**
 * The attempts of one job: mostly one, and in a run one after another, as long as the receiver
 * takes them and takes them soon. A run has one request in flight at any moment and so counts
 * as one; what it cannot go on with, goes on delivery by delivery.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../../lib/db/outage.ts'
import type { Job } from '../../lib/jobs/job.ts'
import type { AttemptResult } from '../model/attempt.ts'
import type { Begun, Ended } from './begin.ts'
import type { Progress } from './record.ts'

export interface RunParts {
  /** Now, by the clock that the log shows. */
  now(): Date
  send(begun: Begun): Promise<AttemptResult>
  /** Gives when one of the job's deliveries falls due again; false where another has the job. */
  record(progress: Progress): Promise<Date | undefined | false>
}

/** What was sent is not left unrecorded for longer than that while others follow. */
const recordAfterMs = 25
/** A run that takes longer would keep its slot from others. */
const longestMs = 1_000
const recordRetryMs = 500
/** Less than the lease lasts. */
const recordTries = 16

/**
 * Gives when a delivery falls due again, where one does. Where it throws, `begun` is left with
 * those that were sent and of which the log has nothing.
 */
export async function carryOut(
  { now, send, record }: RunParts,
  { begun, isRun }: { begun: Begun[]; isRun: boolean },
): Promise<Date | undefined> {
  const began = performance.now()
  let recordedAt = began
  let ended: Ended[] = []
  const tell = async (job: Job, goesOn: boolean): Promise<Date | undefined | false> => {
    const rest = begun.splice(ended.length)
    const at = await patiently(record, { job, isRun, ended, rest, goesOn })
    begun.splice(0, begun.length, ...rest)
    ended = []
    recordedAt = performance.now()
    return at
  }
  for (;;) {
    const next = begun[ended.length]
    if (!next) throw new Error('a job without a delivery')
    const begunAt = now()
    try {
      ended.push({ begun: next, begunAt, result: await send(next) })
    } catch (fault) {
      if (ended.length > 0) await tell(next.job, true)
      begun.splice(1)
      throw fault
    }
    const ms = performance.now()
    const isLast = ended.length === begun.length
    const failed = ended.at(-1)?.result.outcome === 'failed'
    const goesOn = !isLast && !failed && ms - began < longestMs
    if (goesOn && ms - recordedAt < recordAfterMs) continue
    const at = await tell(next.job, goesOn)
    if (!goesOn) return at || undefined
    if (at === false) return undefined
  }
}

/** What was sent is recorded through a short outage, or it would be sent once more. */
async function patiently(record: RunParts['record'], progress: Progress) {
  for (let tries = 1; ; tries++) {
    try {
      return await record(progress)
    } catch (error) {
      if (!isOutage(error) || tries === recordTries) throw error
      await sleep(recordRetryMs)
    }
  }
}
