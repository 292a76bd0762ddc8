/**
 * The end of attempts. Their results are written in the transaction that settles their jobs, and
 * only for jobs that are still held, so that a worker that was considered dead changes nothing.
 */

import { createBatcher } from '../../lib/concurrency/batch.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { HeldJob } from '../../lib/jobs/claim-queries.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import type { Job, NewJob, Outcome } from '../../lib/jobs/job.ts'
import { keepOn, settle } from '../../lib/jobs/settle.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { batchPayloadOf, jobOf } from '../model/delivery.ts'
import { endAttempts, logAttempts, seekAttempts } from './attempt-queries.ts'
import type { Begun, Ended } from './begin.ts'
import { insertDeadLetters } from './dead-letter-queries.ts'
import { adjustPace } from './pace.ts'
import { nextAttemptAt } from './schedule.ts'

/** The progress of a job. */
export interface Progress {
  job: Job
  isBatch: boolean
  ended: Ended[]
  /** The deliveries of a batch that were not sent yet. */
  rest: Begun[]
  /** Whether the batch sends the rest too. Otherwise each becomes a job of its own, due now. */
  goesOn: boolean
}

export interface RecordDeps {
  db: Database
  clock: Clock
}

/** The most jobs of one transaction. */
const perFlush = 200

/** Returns when a delivery of the job is due again, or false if another worker has the job. */
export type RecordProgress = (progress: Progress) => Promise<Date | undefined | false>

export function createRecorder({ db, clock }: RecordDeps): RecordProgress {
  return createBatcher<Progress, Date | undefined | false>({
    maxItems: perFlush,
    async flush(all) {
      const now = clock.now()
      const held = await db.tx((tx) => recordAll(tx, all, now))
      return all.map((progress) => held.has(progress.job) && firstDue(progress, now))
    },
  })
}

async function recordAll(tx: Tx, all: Progress[], now: Date): Promise<ReadonlySet<HeldJob>> {
  const over = all.filter(({ goesOn }) => !goesOn)
  const going = all.filter(({ goesOn }) => goesOn)
  const [settled, kept] = await Promise.all([
    over.length > 0 ? settle(tx, over.map(settlementOf), now) : new Set<HeldJob>(),
    going.length > 0 ? keepOn(tx, going.map(leftOf)) : new Set<HeldJob>(),
  ])
  const held = new Set([...settled, ...kept])
  const stillHeld = all.filter(({ job }) => held.has(job))
  if (stillHeld.length === 0) return held
  const ended = stillHeld.flatMap((progress) => progress.ended)
  await log(tx, ended)
  const jobs = stillHeld.flatMap(jobsOf)
  if (jobs.length > 0) await enqueue(tx, jobs, now)
  const dead = ended.filter(isGivenUp)
  if (dead.length > 0) await insertDeadLetters(tx, dead.map(letterOf))
  await adjustPace(tx, ended, now)
  return held
}

/** Writes most rows here. The rows that a caller was promised exist already, and are completed. */
async function log(tx: Tx, ended: Ended[]): Promise<void> {
  const { promised = [], others = [] } = Object.groupBy(ended, ({ begun }) =>
    begun.isPromised ? 'promised' : 'others',
  )
  if (promised.length > 0) {
    await seekAttempts(tx)
    await endAttempts(tx, promised.map(endOf))
  }
  if (others.length > 0) await logAttempts(tx.pipelined, others.map(rowOf))
}

/** The outcome of the job itself. Deliveries of a failed batch continue in jobs of their own. */
function settlementOf({ job, isBatch, ended }: Progress): { job: Job; outcome: Outcome } {
  const [first] = ended
  const at = first && !isBatch ? nextOf(first) : undefined
  if (!at) return { job, outcome: { outcome: 'done' } }
  return { job, outcome: { outcome: 'retry', at, fault: first?.result.failure ?? 'status' } }
}

function leftOf({ job, rest }: Progress) {
  return { job, payload: batchPayloadOf(rest.map(({ delivery }) => delivery)) }
}

function jobsOf({ isBatch, ended, rest, goesOn }: Progress): NewJob[] {
  if (!isBatch) return []
  const failed = ended.flatMap((entry) => {
    const at = nextOf(entry)
    return at
      ? [{ ...jobOf(entry.begun.delivery), dueAt: at, failures: entry.begun.job.attempt }]
      : []
  })
  return goesOn ? failed : [...failed, ...rest.map(({ delivery }) => jobOf(delivery))]
}

function firstDue({ ended, rest, goesOn }: Progress, now: Date): Date | undefined {
  if (!goesOn && rest.length > 0) return now
  const [first] = ended.flatMap((entry) => nextOf(entry) ?? [])
  return first
}

/** Undefined if it was delivered, was a test, no longer has a body, or failed for the last time. */
function nextOf({ begun, result }: Ended): Date | undefined {
  if (result.outcome === 'delivered' || begun.delivery.test || !isThere(begun)) {
    return undefined
  }
  return nextAttemptAt(begun.job.attempt, result.endedAt)
}

function isGivenUp(ended: Ended): boolean {
  const { begun, result } = ended
  if (result.outcome === 'delivered' || begun.delivery.test) return false
  return isThere(begun) && nextOf(ended) === undefined
}

/** Whether there is a body that could be sent again. */
const isThere = ({ body }: Begun) => typeof body === 'string'

function endOf(ended: Ended) {
  const { businessId, id, createdAt, delivery } = ended.begun
  const nextAttemptAt = nextOf(ended) ?? null
  return {
    businessId,
    webhookId: delivery.webhookId,
    id,
    createdAt,
    ...ended.result,
    nextAttemptAt,
  }
}

function rowOf(ended: Ended) {
  const { id, createdAt, delivery, job, target } = ended.begun
  const { businessId, webhookId, eventId, eventAt, type } = delivery
  return {
    businessId,
    webhookId,
    eventId,
    eventAt,
    type,
    id,
    createdAt,
    attempt: job.attempt,
    begunAt: ended.begunAt,
    url: target.url,
    result: ended.result,
    nextAttemptAt: nextOf(ended) ?? null,
  }
}

function letterOf({ begun, result }: Ended) {
  const { first: _first, test: _test, ...delivery } = begun.delivery
  return {
    ...delivery,
    id: begun.id,
    attempts: begun.job.attempt,
    status: result.status,
    failure: result.failure ?? 'status',
    failedAt: result.endedAt,
  }
}
