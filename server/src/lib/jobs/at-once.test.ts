import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { put, type QueuedByTest } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { systemClock } from '../time/clock.ts'
import { createWorker } from './worker.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('a job kind that hangs in all of its lanes leaves slots to other kinds', async () => {
  const { db } = database
  let hanging = 0
  let most = 0
  const letGo = Promise.withResolvers<void>()
  const quick = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let ended = 0
  const worker = createWorker({
    db,
    clock: systemClock,
    log: silentLog,
    slots: 6,
    pollMs: 20,
    kinds: {
      slow: {
        atOnce: 4,
        perLane: 2,
        async run() {
          hanging++
          most = Math.max(most, hanging)
          await letGo.promise
          hanging--
          if (++ended === 30) done.resolve()
        },
      },
      quick: {
        async run() {
          quick.resolve()
        },
      },
    },
  })
  const slow = Array.from({ length: 30 }, (_, n) => ({ kind: 'slow', lane: `lane ${n}` }))
  await put(db, slow, systemClock.now())
  await worker.start()
  try {
    while (most < 4) await new Promise((go) => setTimeout(go, 10))
    await put(db, [{ kind: 'quick' }], systemClock.now(), worker.wake)
    await quick.promise
    letGo.resolve()
    await done.promise
    assert.equal(most, 4)
  } finally {
    letGo.resolve()
    await worker.stop()
  }
})

test('hanging bulk jobs leave slots of their kind to its other jobs', async () => {
  const { db } = database
  let bulk = 0
  const letGo = Promise.withResolvers<void>()
  const receipt = Promise.withResolvers<void>()
  const worker = createWorker({
    db,
    clock: systemClock,
    log: silentLog,
    slots: 8,
    pollMs: 20,
    kinds: {
      mail: {
        atOnce: 4,
        bulkAtOnce: 3,
        async run({ payload }) {
          if (payload !== 'news') return receipt.resolve()
          bulk++
          await letGo.promise
        },
      },
    },
  })
  const news = Array.from({ length: 12 }, (_, n) => {
    return { kind: 'mail', lane: `campaign ${n}`, payload: 'news', priority: 'bulk' as const }
  })
  const queue = (jobs: QueuedByTest[]) => put(db, jobs, systemClock.now(), worker.wake)
  try {
    await queue(news)
    await worker.start()
    await eventually(
      async () => bulk,
      (n) => n === 3,
    )
    await queue([{ kind: 'mail', lane: 'receipts', payload: 'receipt' }])
    await receipt.promise
    assert.equal(bulk, 3)
    letGo.resolve()
    await eventually(
      async () => bulk,
      (n) => n === news.length,
    )
    assert.equal(bulk, news.length)
  } finally {
    letGo.resolve()
    await worker.stop()
  }
})
