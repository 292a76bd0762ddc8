/**
 * The delivery of events to webhooks. Beginning a job reads where its deliveries are sent and which
 * secrets sign them. The deliveries are then sent one after another, and their results are recorded
 * as the job is settled. The beginnings of many jobs share statements, and so do their records.
 * Most jobs have one delivery. A batch of first attempts has one request in flight at any moment,
 * as long as the receiver accepts the requests and does so quickly. Each delivery that the batch
 * cannot continue with becomes a job of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../../lib/concurrency/batch.ts'
import { canFail } from '../../lib/concurrency/can-fail.ts'
import { isOutage } from '../../lib/db/outage.ts'
import type { Job, Verdict } from '../../lib/jobs/job.ts'
import type { Log } from '../../lib/process/log.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { createKeyring, type Sealer } from '../model/secrets.ts'
import { type BeginDeps, type Beginning, type Begun, beginAll, type Ended } from './begin.ts'
import { logInterrupted } from './interrupted-attempts.ts'
import { createRecorder, type Progress, type RecordProgress } from './record.ts'
import { type SendDeps, send } from './send.ts'

export interface DeliverDeps extends BeginDeps, Omit<SendDeps, 'keyOf'> {
  log: Log
  vault: Sealer
}

/** The most jobs that begin together. */
const perFlush = 100
/**
 * The delay after a fault of our own, which does not count as one of the receiver's seven attempts.
 */
const afterFaultMs = seconds(10)

export function createDelivery(deps: DeliverDeps): (job: Job) => Promise<Verdict> {
  const { db, clock, log } = deps
  const begin = createBatcher<Job, Beginning>({
    maxItems: perFlush,
    eachAlone: false,
    flush: (jobs) => beginAll(deps, jobs),
  })
  const steps: Steps = {
    ...deps,
    keyOf: createKeyring(deps.vault),
    record: createRecorder(deps),
  }

  const deliver = async (job: Job): Promise<Verdict> => {
    const beginning = await begin(job)
    if (beginning.is === 'gone') return { outcome: 'done' }
    if (beginning.is === 'held') return { outcome: 'returned', at: clock.now() }
    if (beginning.is === 'split') return { outcome: 'settled', at: clock.now() }
    const { begun } = beginning
    try {
      const at = await sendAndRecord(steps, beginning)
      return { outcome: 'settled', ...(at && { at }) }
    } catch (error) {
      const lost = begun.filter(({ isPromised }) => !isPromised).map(lostOf)
      await canFail('the job comes again either way', logInterrupted(db, lost))
      throw error
    }
  }

  return async (job) => {
    try {
      return await deliver(job)
    } catch (err) {
      log.error({ err, job: job.id, attempt: job.attempt }, 'webhooks.delivery_faulty')
      return { outcome: 'returned', at: later(clock.now(), afterFaultMs) }
    }
  }
}

interface Steps extends SendDeps {
  record: RecordProgress
}

/** No result stays unrecorded for longer than this while other deliveries follow. */
const recordAfterMs = 25
/** A batch that takes longer would keep its slot from other jobs. */
const longestMs = 1_000

/**
 * Returns when a delivery is due again, if one is. If it throws, `begun` holds the deliveries that
 * were sent and that the log does not have yet.
 */
async function sendAndRecord(
  steps: Steps,
  { begun, isBatch }: { begun: Begun[]; isBatch: boolean },
): Promise<Date | undefined> {
  const startedAt = performance.now()
  let recordedAt = startedAt
  let ended: Ended[] = []
  const recordEnded = async (job: Job, goesOn: boolean): Promise<Date | undefined | false> => {
    const rest = begun.splice(ended.length)
    const at = await recordThroughOutage(steps.record, { job, isBatch, ended, rest, goesOn })
    begun.splice(0, begun.length, ...rest)
    ended = []
    recordedAt = performance.now()
    return at
  }
  for (;;) {
    const next = begun[ended.length]
    if (!next) throw new Error('a job without a delivery')
    const begunAt = steps.clock.now()
    try {
      ended.push({ begun: next, begunAt, result: await send(steps, next) })
    } catch (fault) {
      if (ended.length > 0) await recordEnded(next.job, true)
      begun.splice(1)
      throw fault
    }
    const ms = performance.now()
    const isLast = ended.length === begun.length
    const failed = ended.at(-1)?.result.outcome === 'failed'
    const goesOn = !isLast && !failed && ms - startedAt < longestMs
    if (goesOn && ms - recordedAt < recordAfterMs) continue
    const at = await recordEnded(next.job, goesOn)
    if (!goesOn) return at || undefined
    // Another worker has the job.
    if (at === false) return undefined
  }
}

const recordRetryMs = 500
/** All tries together take less time than the lease. */
const recordTries = 16

/** Records results through a short outage, because otherwise the deliveries would be sent again. */
async function recordThroughOutage(record: RecordProgress, progress: Progress) {
  for (let tries = 1; ; tries++) {
    try {
      return await record(progress)
    } catch (error) {
      if (!isOutage(error) || tries === recordTries) throw error
      await sleep(recordRetryMs)
    }
  }
}

function lostOf({ id, createdAt, delivery, job, target }: Begun) {
  return { delivery, id, at: createdAt, attempt: job.attempt, url: target.url }
}
