import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { minutes } from '../time/clock.ts'
import { settle } from './claim.ts'
import { listDead, releaseDead } from './health.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('dead jobs are counted by fault and are released as if they were new', async () => {
  const { db } = database
  await put(db, [{ kind: 'broken' }, { kind: 'broken' }, { kind: 'other' }], clock.now())
  const deadAt = clock.now()
  for (const kind of ['broken', 'other']) {
    const jobs = await take(db, clock, { kind })
    const outcome = { outcome: 'dead' as const, fault: `fault of ${kind}` }
    await settle(
      db,
      jobs.map((job) => ({ job, outcome })),
      deadAt,
    )
  }
  assert.deepEqual(await listDead(db), [
    { kind: 'broken', fault: 'fault of broken', jobs: 2, oldest: deadAt },
    { kind: 'other', fault: 'fault of other', jobs: 1, oldest: deadAt },
  ])
  clock.forward(minutes(5))
  assert.deepEqual(await take(db, clock, { kind: 'broken' }), [])
  assert.equal(await releaseDead(db, 'broken', clock.now()), 2)
  assert.equal(await releaseDead(db, 'broken', clock.now()), 0)
  const again = await take(db, clock, { kind: 'broken' })
  assert.deepEqual(
    again.map(({ attempt, claims, dueAt }) => [attempt, claims, dueAt]),
    Array(2).fill([1, 1, clock.now()]),
  )
  assert.deepEqual(
    (await listDead(db)).map(({ kind }) => kind),
    ['other'],
  )
})
