/** Processes that hear of one another through PostgreSQL, directly and past a pooler. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type pg from 'pg'
import { put, silent, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import {
  type Pooler,
  pgbouncer,
  startPgbouncer,
} from '../../../../tests/support/postgres/pgbouncer.ts'
import { missingPrograms } from '../../../../tests/support/processes/debian-program.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { openDatabase, sql } from '../db/db.ts'
import { type JobKinds, type LaneNews, placeOf } from '../jobs/job.ts'
import { createWorker } from '../jobs/worker.ts'
import { systemClock } from '../time/clock.ts'
import { channel, createNotifier, type Notifier } from './notifier.ts'

let pooler: Pooler | undefined
const skip = missingPrograms(pgbouncer) ?? false
const bench = workerBench(async () => {
  if (!skip) pooler = await startPgbouncer(bench.database.connection)
})
const notifiers: Notifier[] = []

afterEach(async () => {
  for (const one of notifiers.splice(0)) await one.stop()
})
after(() => pooler?.stop())

type NewsOrLook = readonly LaneNews[] | undefined

/** Another process, as far as notifications are concerned; `states` are the events of its log. */
function other(listenOn?: pg.ClientConfig, heard: (news: NewsOrLook) => void = () => {}) {
  const states: string[] = []
  const note = (...args: unknown[]) => {
    const [facts, event] = args as [{ why?: string } | string, string?]
    states.push(typeof facts === 'string' ? facts : [event, facts.why].filter(Boolean).join(' '))
  }
  const log = { ...silent, debug: note, warn: note, info: note, error: note }
  const notifier = createNotifier({ db: bench.db, log, listenOn, onNews: heard })
  notifiers.push(notifier)
  notifier.start()
  return { ...notifier, states }
}

async function listening(listenOn = bench.database.connection) {
  const news: LaneNews[] = []
  const looks: number[] = []
  const node = other(listenOn, (told) => {
    if (told) news.push(...told)
    else looks.push(performance.now())
  })
  await until(() => looks.length > 0, 'it listens')
  return { ...node, news, looks }
}

/** Backends that have asked for notifications last. */
const ears = () =>
  bench.db.all<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and query = ${`listen ${channel}`}
  `)

const somewhere = (lane: string): LaneNews => ({
  ...placeOf({ kind: 'any', businessId: null, lane }),
  priority: 1,
  dueAt: new Date(),
})

test('every other process hears of what one tells, within milliseconds', async () => {
  const [one, two] = [await listening(), await listening()]
  const teller = other()
  const times: number[] = []
  for (let i = 0; i < 30; i++) {
    const told = somewhere(String(i))
    const began = performance.now()
    teller.tell([told])
    await until(() => [one, two].every(({ news }) => news.length === i + 1), 'both heard')
    times.push(performance.now() - began)
    assert.deepEqual(one.news.at(-1), told)
    assert.deepEqual(two.news.at(-1), told)
  }
  const [, , , , , , , , , , , , , , , median = 0] = times.toSorted((a, b) => a - b)
  assert.ok(median < 100, `${median} ms`)
})

test('a job of one process runs at once in the worker of another, which polls seldom', async () => {
  const ran: number[] = []
  const kinds: JobKinds = {
    apart: {
      async run() {
        ran.push(performance.now())
      },
    },
  }
  const there = await bench.start(kinds, { pollMs: 60_000 })
  const looks: NewsOrLook[] = []
  other(bench.database.connection, (news) => {
    if (!news) looks.push(news)
    there.hear(news)
  })
  await until(() => looks.length === 1, 'it listens')
  // Of a process that takes calls alone: its worker never starts.
  const here = other()
  const tellOthers = (news: readonly LaneNews[]) => here.tell(news)
  const common = { db: bench.db, clock: systemClock, log: silent, slots: 1 }
  const calls = createWorker({ ...common, kinds, tellOthers, pollMs: 60_000 })
  for (let i = 1; i <= 10; i++) {
    const began = performance.now()
    await put(bench.db, [{ kind: 'apart', lane: String(i) }], new Date(), calls.wake)
    await until(() => ran.length === i, 'it ran', 10_000)
    assert.ok((ran.at(-1) ?? 0) - began < 5_000)
  }
})

test('a listener that is thrown out comes back, and looks for what it missed', async () => {
  const node = await listening()
  const [ear] = await ears()
  await bench.db.run(sql`select pg_terminate_backend(${ear?.pid})`)
  await until(() => node.looks.length === 2, 'it is back')
  assert.deepEqual(node.states, ['jobs.listening', 'jobs.listening_lost', 'jobs.listening'])
  const told = somewhere('after')
  other().tell([told])
  await until(() => node.news.length === 1, 'it hears')
  assert.deepEqual(node.news, [told])
})

test('a stop ends the connection, and one that cannot connect keeps trying until then', async () => {
  const node = await listening()
  assert.equal((await ears()).length, 1)
  await node.stop()
  await until(async () => (await ears()).length === 0, 'it is gone')
  const nobody = other({ host: '127.0.0.1', port: 1, user: 'any', database: 'any' })
  await until(() => nobody.states.length === 1, 'it says so')
  assert.deepEqual(nobody.states, ['jobs.listening_lost'])
  await nobody.stop()
})

test('a pooler in transaction mode is found out and told, and nothing listens behind it', {
  skip,
}, async () => {
  const node = other({ connectionString: pooler?.url })
  await until(() => node.states.length === 1, 'it says so')
  assert.deepEqual(node.states, ['jobs.polling pooled'])
  assert.deepEqual(await ears(), [])
  await node.stop()
})

test('a process behind a pooler is heard by those that listen past it', { skip }, async () => {
  const node = await listening()
  const pooled = openDatabase({ connection: { connectionString: pooler?.url }, poolSize: 1 })
  const teller = createNotifier({ db: pooled, log: silent, listenOn: undefined, onNews: () => {} })
  const told = somewhere('pooled')
  teller.tell([told])
  await until(() => node.news.length === 1, 'it hears')
  assert.deepEqual(node.news, [told])
  await teller.stop()
  await pooled.end()
})

test('a direct address of another database is found out', async () => {
  const wrong = await testDatabase()
  try {
    const node = other(wrong.connection)
    await until(() => node.states.length === 1, 'it says so', 20_000)
    assert.deepEqual(node.states, ['jobs.polling elsewhere'])
    await node.stop()
  } finally {
    await wrong.drop()
  }
})
