import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { refuse } from '../../core/errors.ts'
import { sql } from '../db/db.ts'
import { later, minutes, seconds } from '../time/clock.ts'
import { settle } from './claim.ts'
import type { Outcome } from './job.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()

async function taken(kind: string) {
  await put(database.db, [{ kind }], clock.now())
  const [job] = await take(database.db, clock, { kind })
  assert.ok(job)
  return job
}

interface Row {
  attempt: number
  claims: number
  lease: string | null
  fault: string | null
  due: Date
  dead: boolean
}
const rowOf = (id: string) =>
  database.db.maybe<Row>(sql`
    select attempt, claims, lease, fault, due_at as due, parked_at is not null as dead
    from jobs where id = ${id}
  `)

async function settled(kind: string, outcome: Outcome) {
  const job = await taken(kind)
  const held = await settle(database.db, [{ job, outcome }], clock.now())
  assert.deepEqual(held, new Set([job]))
  return rowOf(job.id)
}

test('a job settled as done is deleted', async () => {
  assert.equal(await settled('done', { outcome: 'done' }), undefined)
})

test('a retry is due at exactly its time and counts as another attempt', async () => {
  const at = later(clock.now(), minutes(5))
  const row = await settled('retry', { outcome: 'retry', at, fault: 'TypeError' })
  const expected = {
    attempt: 1,
    claims: 0,
    lease: null,
    fault: 'TypeError',
    due: at,
    dead: false,
  }
  assert.deepEqual(row, expected)
  clock.forward(minutes(5) - 1)
  assert.deepEqual(await take(database.db, clock, { kind: 'retry' }), [])
  clock.forward(1)
  assert.equal((await take(database.db, clock, { kind: 'retry' }))[0]?.attempt, 2)
})

test('a retry due before the lease would have ended wakes its lane in time', async () => {
  await settled('soon', { outcome: 'retry', at: later(clock.now(), 10) })
  clock.forward(10)
  assert.equal((await take(database.db, clock, { kind: 'soon' })).length, 1)
})

test('a returned job counts neither as an attempt nor as a claim', async () => {
  const row = await settled('returned', { outcome: 'returned', at: clock.now() })
  assert.deepEqual([row?.attempt, row?.claims, row?.due], [0, 0, clock.now()])
})

test('a job that runs again starts with a new count of attempts', async () => {
  await put(database.db, [{ kind: 'again' }], clock.now())
  const [first] = await take(database.db, clock, { kind: 'again' })
  assert.ok(first)
  await settle(
    database.db,
    [{ job: first, outcome: { outcome: 'retry', at: clock.now() } }],
    clock.now(),
  )
  const [second] = await take(database.db, clock, { kind: 'again' })
  assert.equal(second?.attempt, 2)
  const at = later(clock.now(), minutes(1))
  await settle(database.db, [{ job: second, outcome: { outcome: 'again', at } }], clock.now())
  const row = await rowOf(second.id)
  assert.deepEqual([row?.attempt, row?.due], [0, at])
})

test('a dead job is kept for inspection and never claimed', async () => {
  const row = await settled('dead', { outcome: 'dead', fault: 'Error ETIMEDOUT' })
  assert.deepEqual([row?.dead, row?.fault], [true, 'Error ETIMEDOUT'])
  clock.forward(minutes(60))
  assert.deepEqual(await take(database.db, clock, { kind: 'dead' }), [])
})

test('a worker whose lease has ended cannot change its job', async () => {
  const stale = await taken('stale')
  clock.forward(seconds(15))
  const [fresh] = await take(database.db, clock, { kind: 'stale' })
  assert.ok(fresh)
  const outcomes: Outcome[] = [
    { outcome: 'done' },
    { outcome: 'retry', at: clock.now() },
    { outcome: 'dead' },
    { outcome: 'returned', at: clock.now() },
  ]
  for (const outcome of outcomes) {
    const held = await settle(database.db, [{ job: stale, outcome }], clock.now())
    assert.equal(held.size, 0, outcome.outcome)
  }
  assert.equal((await rowOf(fresh.id))?.lease, fresh.lease)
  // Both leases in one settle, as when a worker claims the job again before it notices the loss.
  const together = async (job: typeof fresh, outcome: Outcome) => {
    const both = [job, stale].map((entry) => ({ job: entry, outcome }))
    assert.deepEqual([...(await settle(database.db, both, clock.now()))], [job])
  }
  await together(fresh, { outcome: 'retry', at: clock.now() })
  const [again] = await take(database.db, clock, { kind: 'stale' })
  assert.ok(again)
  await together(again, { outcome: 'done' })
})

test('settling a mixed batch returns the jobs whose leases were still held', async () => {
  const [done, retried, stale] = [await taken('mix a'), await taken('mix b'), await taken('mix c')]
  const held = await settle(
    database.db,
    [
      { job: done, outcome: { outcome: 'done' } },
      { job: retried, outcome: { outcome: 'retry', at: clock.now() } },
      { job: { ...stale, lease: crypto.randomUUID() }, outcome: { outcome: 'done' } },
    ],
    clock.now(),
  )
  assert.deepEqual(held, new Set([done, retried]))
})

test('settling a job is part of the caller’s transaction', async () => {
  const job = await taken('domain')
  await database.db.tx(async (tx) => {
    await settle(tx, [{ job, outcome: { outcome: 'done' } }], clock.now())
    return refuse('conflict', 'The domain changed its mind.')
  })
  assert.equal((await rowOf(job.id))?.lease, job.lease)
})
