import type { Tx } from '../db/types.ts'
import { type Id, newId } from '../text/uuid.ts'
import { type NewJob, priorities } from './job.ts'
import { insertJob, insertJobs, type JobRow } from './queue-queries.ts'
import { type Place, placeOf } from './shard.ts'

/** A lane that got jobs, and when the first of them is due. */
export interface LaneNews extends Place {
  priority: number
  dueAt: Date
}

/** Called with the lanes of the queued jobs once they are committed: `worker.wake`. */
export type TellWorker = (news: readonly LaneNews[]) => void

const listeners = new WeakMap<Tx, TellWorker>()

/** Reports all jobs that a transaction queues to the owner of the transaction. */
export function tellOfJobs(tx: Tx, tell: TellWorker): void {
  listeners.set(tx, tell)
  listeners.set(tx.pipelined, tell)
}

/**
 * Queues jobs in the transaction that causes them, and returns their ids in order. Workers see them
 * when it commits. With `tell` (by default the transaction's listener) this process's worker claims
 * from their lanes directly, rather than at its next look over all of them.
 */
export async function enqueue(
  tx: Tx,
  jobs: NewJob[],
  now: Date,
  tell: TellWorker | undefined = listeners.get(tx),
): Promise<Id<'job'>[]> {
  const rows = jobs.map((job): JobRow & { shard: number } => ({
    ...placeOf(job),
    id: job.id ?? newId('job'),
    kind: job.kind,
    payload: JSON.stringify(job.payload ?? null),
    dueAt: job.dueAt ?? now,
    failures: job.failures ?? 0,
    priority: priorities[job.priority ?? 'normal'],
  }))
  for (const [shard, inShard] of Map.groupBy(rows, (row) => row.shard)) {
    const [job] = inShard
    if (job && inShard.length === 1) await insertJob(tx, shard, job, now)
    else await insertJobs(tx, shard, inShard, now)
  }
  if (tell && rows.length > 0) {
    const news = newsOf(rows)
    tx.afterCommit(() => tell(news))
  }
  return rows.map((row) => row.id)
}

function newsOf(rows: (JobRow & Place)[]): LaneNews[] {
  const byLane = new Map<string, LaneNews>()
  for (const { shard, laneId, priority, dueAt } of rows) {
    const key = `${shard} ${laneId}`
    const cached = byLane.get(key)
    if (!cached) byLane.set(key, { shard, laneId, priority, dueAt })
    else if (dueAt < cached.dueAt) cached.dueAt = dueAt
  }
  return [...byLane.values()]
}
