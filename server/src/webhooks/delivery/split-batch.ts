/** Replaces batches by one job for each of their deliveries. */
import type { Database } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import type { Job } from '../../lib/jobs/job.ts'
import { settle } from '../../lib/jobs/settle.ts'
import { jobOf, type QueuedDelivery } from '../model/delivery.ts'
import { type InterruptedAttempt, logInterrupted } from './interrupted-attempts.ts'

export interface BatchToSplit {
  job: Job
  deliveries: readonly QueuedDelivery[]
  /** Attempts that a dead worker may have made. */
  lost: readonly InterruptedAttempt[]
}

export async function splitBatch(
  db: Database,
  batches: readonly BatchToSplit[],
  now: Date,
): Promise<void> {
  await db.tx(async (tx) => {
    const done = batches.map(({ job }) => ({ job, outcome: { outcome: 'done' as const } }))
    const held = await settle(tx, done, now)
    const stillHeld = batches.filter(({ job }) => held.has(job))
    await logInterrupted(
      tx,
      stillHeld.flatMap(({ lost }) => lost),
    )
    const jobs = stillHeld.flatMap(({ deliveries }) => deliveries.map(jobOf))
    await enqueue(tx, jobs, now)
  })
}
