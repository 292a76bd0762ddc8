/**
 * The end of attempts. What came of them is written in the transaction that settles their
 * jobs, and only for those still held: a worker that was thought dead changes nothing.
 */
import { createBatcher } from '../platform/batch.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/db.ts'
import type { Outcome } from '../platform/jobs/job.ts'
import { settle } from '../platform/jobs/settle.ts'
import type { AttemptResult } from './attempt.ts'
import { endAttempts, seekAttempts } from './attempt-queries.ts'
import type { Begun } from './begin.ts'
import { insertDeadLetters } from './dead-letter-queries.ts'
import { adjustPace } from './pace.ts'
import { nextAttemptAt } from './schedule.ts'

export interface Ended {
  begun: Begun
  result: AttemptResult
}

export interface RecordDeps {
  db: Database
  clock: Clock
}

/** Attempts of one transaction at most. */
const perFlush = 200

/** Gives when the delivery falls due again, where it does. */
export function createRecorder({
  db,
  clock,
}: RecordDeps): (ended: Ended) => Promise<Date | undefined> {
  const record = createBatcher<Ended, void>({
    maxItems: perFlush,
    async flush(attempts) {
      await db.tx((tx) => recordAll(tx, attempts, clock.now()))
      return attempts.map(() => undefined)
    },
  })
  return async (ended) => {
    await record(ended)
    return nextOf(ended)
  }
}

async function recordAll(tx: Tx, attempts: Ended[], now: Date): Promise<void> {
  const settlements = attempts.map((ended) => ({
    job: ended.begun.job,
    outcome: outcomeOf(ended),
  }))
  const held = await settle(tx, settlements, now)
  const lawful = attempts.filter(({ begun }) => held.has(begun.job.id))
  if (lawful.length === 0) return
  await seekAttempts(tx)
  await endAttempts(tx, lawful.map(rowOf))
  const dead = lawful.filter(isGivenUp)
  if (dead.length > 0) await insertDeadLetters(tx, dead.map(letterOf))
  await adjustPace(tx, lawful, now)
}

/** Undefined where it was delivered, was a test, has no bytes any more, or failed for the last time. */
function nextOf({ begun, result }: Ended): Date | undefined {
  if (result.outcome === 'delivered' || begun.delivery.test || !isThere(begun)) {
    return undefined
  }
  return nextAttemptAt(begun.job.attempt, result.endedAt)
}

function outcomeOf(ended: Ended): Outcome {
  const at = nextOf(ended)
  if (!at) return { outcome: 'done' }
  return { outcome: 'retry', at, fault: ended.result.failure ?? 'status' }
}

function isGivenUp(ended: Ended): boolean {
  const { begun, result } = ended
  if (result.outcome === 'delivered' || begun.delivery.test) return false
  return isThere(begun) && nextOf(ended) === undefined
}

/** Whether there are bytes that could be sent once more. */
const isThere = ({ body }: Begun) => typeof body === 'string'

function rowOf(ended: Ended) {
  const { businessId, id, createdAt, delivery } = ended.begun
  const { webhookId } = delivery
  return {
    businessId,
    webhookId,
    id,
    createdAt,
    ...ended.result,
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
