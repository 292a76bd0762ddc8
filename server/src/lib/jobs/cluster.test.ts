import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { after, test } from 'node:test'
import {
  put,
  recordingKind,
  shortLeases,
  workerBench,
} from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../db/db.ts'

const bench = workerBench(async (db) => {
  await db.run(sql`create table recorded (job uuid not null)`)
})
const script = path.join(import.meta.dirname, '../../../../tests/support/jobs/job-worker.ts')
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function shardsByWorker(): Promise<number[]> {
  const rows = await bench.db.all<{ shards: number }>(sql`
    select count(*) as shards from shard_leases
    where worker is not null and expires_at > ${new Date()} group by worker order by 1
  `)
  return rows.map((row) => row.shards)
}

/** The settled jobs so far: the number of settlements, and the number of distinct jobs. */
const recorded = () =>
  bench.db.one<{ times: number; jobs: number }>(sql`
    select count(*) as times, count(distinct job) as jobs from recorded
  `)

const records = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ kind: 'record', lane: String(i % 200) }))

const options = { times: shortLeases, pollMs: 20 }

test('two workers share the shards and the work, and no job is done twice', async () => {
  const seen = [0, 0]
  for (const i of [0, 1]) {
    const kind = recordingKind(bench.db, () => {
      seen[i] = (seen[i] ?? 0) + 1
    })
    await bench.start({ record: kind }, options)
  }
  await until(async () => String(await shardsByWorker()) === '128,128', 'an even share')
  await put(bench.db, records(1_000), new Date())
  await until(async () => (await bench.waiting()) === 0, 'all done')
  assert.deepEqual(await recorded(), { times: 1_000, jobs: 1_000 })
  assert.equal((seen[0] ?? 0) + (seen[1] ?? 0), 1_000, 'none was even begun twice')
  assert.ok(Math.min(...seen) > 250, `shared as ${seen.join()}`)
})

test('shards move to workers that start, and away from workers that stop', async () => {
  const kinds = { record: recordingKind(bench.db, () => {}) }
  await bench.start(kinds, options)
  assert.deepEqual(await shardsByWorker(), [256])
  const second = await bench.start(kinds, options)
  await bench.start(kinds, options)
  await until(async () => String(await shardsByWorker()) === '84,86,86', 'a third each')
  await second.stop()
  await until(async () => String(await shardsByWorker()) === '128,128', 'a half each')
})

test('a killed worker loses no job: the other worker takes over its shards and jobs', async () => {
  await bench.db.run(sql`delete from recorded`)
  const connection = JSON.stringify(bench.database.connection)
  const child = spawn(process.execPath, ['--conditions=crier-source', script, connection], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await until(async () => (await shardsByWorker()).length === 1, 'the child holds the shards')
  await bench.start({ record: recordingKind(bench.db, () => {}) }, options)
  await until(async () => (await shardsByWorker()).length === 2, 'both hold shards')

  await put(bench.db, records(2_000), new Date())
  // The worker is killed while it works: some jobs have begun, and their leases are open.
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { held } = await bench.db.one<{ held: number }>(sql`
    select count(*) as held from jobs where lease is not null
  `)
  assert.ok(held > 0, 'it held jobs when it was killed')

  await until(async () => (await bench.waiting()) === 0, 'the other did the rest')
  assert.deepEqual(await recorded(), { times: 2_000, jobs: 2_000 })
  assert.deepEqual(await shardsByWorker(), [256])
})
