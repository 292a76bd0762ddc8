/** A queue that nodes of version 1.1 wrote, served by this version beside them and after them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../db/db.ts'
import { later, minutes, seconds } from '../time/clock.ts'
import { nameBusinesses } from './businesses.ts'
import { settle } from './claim.ts'
import { enqueue, jobIdOf, type NewJob, placeOf, serviceBusiness } from './job.ts'
import { isQueued, pauseLane, resumeLane, steerLane } from './lanes.ts'

const bench = workerBench()
const businessId = newId('business')
const laneOf = (lane: string) => ({ kind: 'work', businessId, lane })

/** Queues a job as version 1.1 does, by its statement. */
async function queueAsBefore({ dueAt = new Date(), id = newId('job'), ...job }: NewJob) {
  const { shard, laneId } = placeOf(job)
  const payload = JSON.stringify(job.payload)
  const now = new Date()
  await bench.db.run(sql`
    with opened as (
      insert into lanes (shard, id, kind, priority, next_at, touched_at)
      select ${shard}, ${laneId}::uuid, ${job.kind}, 1, ${dueAt}, ${now}
      where not exists (select from lanes where shard = ${shard} and id = ${laneId})
      on conflict (shard, id) do nothing
    ), asleep as (
      select id from lanes where shard = ${shard} and id = ${laneId} and next_at > ${dueAt}
      for no key update skip locked
    ), woken as (
      update lanes set next_at = ${dueAt}, touched_at = ${now}
      from asleep where lanes.shard = ${shard} and lanes.id = asleep.id
    )
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    values (${shard}, ${id}, ${laneId}, ${job.kind}, ${payload}, ${dueAt}, 0, ${now})
    on conflict (shard, id) do nothing
  `)
  return { shard, id }
}

/** Pauses a lane as version 1.1 does. */
async function pauseAsBefore(name: string) {
  const { shard, laneId } = placeOf(laneOf(name))
  const now = new Date()
  await bench.db.run(sql`
    insert into lanes (shard, id, kind, priority, next_at, touched_at, paused_at)
    values (${shard}, ${laneId}, 'work', 1, 'infinity', ${now}, ${now})
    on conflict (shard, id) do update set paused_at = coalesce(lanes.paused_at, ${now})
  `)
}

const jobOf = (lane: string, name: string): NewJob => ({
  ...laneOf(lane),
  payload: { business_id: businessId, name },
})
const queue = (job: NewJob) => bench.db.tx((tx) => enqueue(tx, [job], new Date()))

/** Records the names of the jobs that ran. */
function recorder() {
  const ran: string[] = []
  return {
    ran,
    kinds: {
      work: {
        async run({ payload }: { payload: unknown }) {
          ran.push((payload as { name: string }).name)
          await sleep(1)
        },
      },
    },
  }
}

async function businessesOf(): Promise<Record<string, string[]>> {
  const jobs = await bench.db.all<{ name: string }>(sql`
    select distinct business_id as name from jobs order by 1
  `)
  const lanes = await bench.db.all<{ name: string }>(sql`
    select distinct business_id as name from lanes order by 1
  `)
  return { jobs: jobs.map(({ name }) => name), lanes: lanes.map(({ name }) => name) }
}

test('each job of a queue of version 1.1 runs once, beside nodes that go on queueing', async () => {
  const single = jobIdOf('work', 'one')
  await queueAsBefore(jobOf('waiting', 'old waiting'))
  await queueAsBefore({ ...jobOf('single', 'old single'), id: single })
  await queueAsBefore(jobOf('paused', 'old paused'))
  await pauseAsBefore('paused')
  const { shard, id } = await queueAsBefore(jobOf('running', 'old running'))
  const lease = newId('job')
  // A node of version 1.1 works on it, and settles it by what it knows of it.
  await bench.db.run(sql`
    update jobs set lease = ${lease}, due_at = ${later(new Date(), minutes(1))}, claims = 1
    where shard = ${shard} and id = ${id}
  `)
  const dead = await queueAsBefore(jobOf('dead', 'old dead'))
  await bench.db.run(sql`update jobs set parked_at = now(), fault = 'x' where id = ${dead.id}`)

  await queue(jobOf('waiting', 'new waiting'))
  await queue({ ...jobOf('single', 'new single'), id: single })
  assert.equal(await isQueued(bench.db, laneOf('single'), single), true)
  await queue(jobOf('paused', 'new paused'))
  await queue(jobOf('ours', 'new ours'))
  await queueAsBefore(jobOf('ours', 'old ours'))
  await steerLane(bench.db, laneOf('waiting'), { capacity: 1, priority: 'normal' }, new Date())

  const { ran, kinds } = recorder()
  await bench.start(kinds)
  await eventually(
    async () => ran.length,
    (n) => n >= 5,
  )
  await sleep(seconds(1))
  assert.deepEqual(ran.toSorted(), [
    'new ours',
    'new waiting',
    'old ours',
    'old single',
    'old waiting',
  ])
  const held = { businessId: serviceBusiness, shard, id, lease }
  const settled = await settle(bench.db, [{ job: held, outcome: { outcome: 'done' } }], new Date())
  assert.ok(settled.has(held))
  await resumeLane(bench.db, laneOf('paused'), new Date())
  await eventually(
    async () => ran.length,
    (n) => n >= 7,
  )
  assert.deepEqual(ran.slice(5).toSorted(), ['new paused', 'old paused'])
  assert.equal(await eventually(bench.waiting, (n) => n === 1), 1, 'the dead one stays')
})

test('what version 1.1 queued gets its business, and each lane keeps its state', async () => {
  const [other, dueAt] = [newId('business'), later(new Date(), minutes(9))]
  const late = (job: NewJob) => queueAsBefore({ ...job, dueAt })
  await late(jobOf('plain', 'a'))
  await queue({ ...jobOf('plain', 'b'), dueAt })
  const kind = 'work'
  await late({ kind, businessId, lane: 'erasing', payload: { businessId, contactIds: [] } })
  await late({ kind, businessId, lane: 'hook', payload: { to: [businessId, newId('webhook')] } })
  await late({ kind, businessId, lane: 'feed', payload: { events: [[businessId], [businessId]] } })
  await pauseAsBefore('plain')
  await pauseAsBefore('quiet')
  await bench.db.tx((tx) => nameBusinesses(tx, [laneOf('quiet')]))
  assert.deepEqual(await businessesOf(), { jobs: [businessId], lanes: [businessId] })
  const { n } = await bench.db.one<{ n: number }>(sql`
    select count(*)::int as n from lanes where paused_at is not null
  `)
  assert.equal(n, 2)

  // Of the service, of several businesses, or in a lane that several share.
  await late({ kind, businessId: null, lane: 'own', payload: null })
  await late({ kind, businessId: null, lane: 'own words', payload: { business_id: 'none' } })
  await late({
    kind,
    businessId: null,
    lane: 'several',
    payload: { events: [[businessId], [other]] },
  })
  await late({ kind, businessId: null, lane: '', payload: { business_id: businessId } })
  await late({ kind, businessId: null, lane: '', payload: { business_id: other } })
  await bench.db.tx((tx) => nameBusinesses(tx, []))
  const both = [serviceBusiness, businessId].toSorted()
  assert.deepEqual(await businessesOf(), { jobs: both, lanes: both })
  await pauseLane(bench.db, laneOf('plain'), new Date())
})
