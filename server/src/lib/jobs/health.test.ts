import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { later, minutes, seconds } from '../time/clock.ts'
import { settle } from './claim.ts'
import { queueHealth, reviveDead } from './health.ts'
import { announceWorker } from './shards.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()

test('queue health reports the age of the oldest due job of each kind', async () => {
  const start = clock.now()
  await put(database.db, [{ kind: 'mail' }, { kind: 'sweep', lane: 'a' }], start)
  clock.forward(seconds(40))
  await put(
    database.db,
    [
      { kind: 'mail', lane: 'other' },
      { kind: 'later', dueAt: later(clock.now(), minutes(1)) },
    ],
    clock.now(),
  )
  await take(database.db, clock, { kind: 'sweep', lane: 'a' })
  const health = await queueHealth(database.db, clock.now())
  assert.deepEqual(health.waiting, [{ kind: 'mail', oldestDueAt: start }])
})

test('live workers are counted, and workers whose lease has ended are not', async () => {
  const announce = (until: Date) =>
    announceWorker(database.db, crypto.randomUUID(), until, later(clock.now(), -minutes(9)))
  await announce(later(clock.now(), seconds(15)))
  await announce(later(clock.now(), -seconds(1)))
  assert.equal((await queueHealth(database.db, clock.now())).workers, 1)
})

test('dead jobs are counted, and are due again after they are revived', async () => {
  await put(database.db, [{ kind: 'shelf' }], clock.now())
  const [job] = await take(database.db, clock, { kind: 'shelf' })
  assert.ok(job)
  await settle(database.db, [{ job, outcome: { outcome: 'dead' } }], clock.now())
  clock.forward(minutes(1))
  const { dead } = await queueHealth(database.db, clock.now())
  assert.deepEqual(dead, [{ kind: 'shelf', jobs: 1 }])
  assert.deepEqual(await take(database.db, clock, { kind: 'shelf' }), [])
  assert.equal(await reviveDead(database.db, 'shelf', clock.now()), 1)
  assert.deepEqual((await queueHealth(database.db, clock.now())).dead, [])
})
