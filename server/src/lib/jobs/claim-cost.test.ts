import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { sql } from '../db/db.ts'
import { systemClock } from '../time/clock.ts'
import { placeOf } from './job.ts'

let few: TestDatabase
let many: TestDatabase
before(async () => {
  few = await testDatabase()
  many = await testDatabase()
})
after(async () => {
  await few.drop()
  await many.drop()
})

/** Future retries in the lane, as after a day during which a receiver was down. */
async function waitingRetries({ db }: TestDatabase, n: number): Promise<void> {
  const { shard, laneId } = placeOf({ kind: 'cost', businessId: null })
  await db.run(sql`
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    select ${shard}, gen_random_uuid(), ${laneId}, 'cost', '{}',
      now() + make_interval(hours => 1, secs => i), 3, now()
    from generate_series(1, ${n}::int) as i
  `)
}

async function claimMs({ db }: TestDatabase): Promise<number> {
  await put(db, [{ kind: 'cost' }], systemClock.now())
  const start = performance.now()
  const jobs = await take(db, systemClock, { kind: 'cost' })
  const took = performance.now() - start
  assert.equal(jobs.length, 1)
  return took
}

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0

test('a claim costs the same with 100,000 waiting retries as with 1,000', async () => {
  await waitingRetries(few, 1_000)
  await waitingRetries(many, 100_000)
  const ms: { few: number[]; many: number[] } = { few: [], many: [] }
  // The two alternate, so that other work on the machine slows both.
  for (let i = 0; i < 120; i++) {
    const [ofFew, ofMany] = [await claimMs(few), await claimMs(many)]
    // The first runs include planning.
    if (i < 60) continue
    ms.few.push(ofFew)
    ms.many.push(ofMany)
  }
  const [fewMs, manyMs] = [median(ms.few), median(ms.many)]
  const told = `${fewMs.toFixed(2)} ms with 1,000, ${manyMs.toFixed(2)} with 100,000`
  assert.ok(manyMs < fewMs * 3 + 1, told)
})
