import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/database.ts'
import { put, take } from '../../../../tests/support/jobs.ts'
import { systemClock } from '../clock.ts'
import { sql } from '../db.ts'
import { placeOf } from './shard.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** Future retries in the lane, as a receiver that was down for a day leaves them. */
async function waitingRetries(n: number): Promise<void> {
  const { shard, laneId } = placeOf({ kind: 'cost' })
  await database.db.run(sql`
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    select ${shard}, gen_random_uuid(), ${laneId}, 'cost', '{}',
      now() + make_interval(hours => 1, secs => i), 3, now()
    from generate_series(1, ${n}::int) as i
  `)
}

async function medianClaimMs(): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 60; i++) {
    await put(database.db, [{ kind: 'cost' }], systemClock.now())
    const start = performance.now()
    const jobs = await take(database.db, systemClock, { kind: 'cost' })
    times.push(performance.now() - start)
    assert.equal(jobs.length, 1)
  }
  return times.sort((a, b) => a - b)[30] ?? 0
}

test('a claim costs the same with 100,000 retries waiting as with 1,000', async () => {
  await waitingRetries(1_000)
  await medianClaimMs()
  const few = await medianClaimMs()
  await waitingRetries(99_000)
  const many = await medianClaimMs()
  assert.ok(many < few * 3 + 1, `${few.toFixed(2)} ms with 1,000, ${many.toFixed(2)} with 100,000`)
})
