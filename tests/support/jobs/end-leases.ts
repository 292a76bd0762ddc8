/** What a dead worker held is free at once, which would otherwise take 17 seconds. */
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'

/**
 * Ends the leases of workers that were all killed, as if their time had passed, before another one
 * starts. That leases end by themselves is shown by `two-workers.test.ts` and by `npm run soak`.
 */
export async function endLeases(db: Database): Promise<void> {
  const past = new Date(Date.now() - 60_000)
  await db.tx(async (tx) => {
    // A worker that counts as alive would keep its share of the shards.
    await tx.run(sql`delete from job_workers`)
    await tx.run(sql`update shard_leases set expires_at = ${past} where worker is not null`)
    await tx.run(sql`
      update lanes set next_at = least(next_at, ${past}) where (shard, id) in (
        select shard, lane from jobs where lease is not null and parked_at is null)
    `)
    await tx.run(sql`
      update jobs set due_at = ${past} where lease is not null and parked_at is null
    `)
  })
}
