import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../db/db.ts'
import { later, minutes, seconds } from '../time/clock.ts'
import type { JobKinds } from './job.ts'

const bench = workerBench()

test('a periodic job exists once, keeps its interval and never becomes dead', async () => {
  const clock = new ManualClock()
  let turns = 0
  // Set by a flag, not by the number of the turn: a turn that one worker loses to the other when
  // the clock jumps does not count.
  let fails = false
  const kinds: JobKinds = {
    sweep: {
      everyMs: minutes(10),
      async run() {
        turns++
        if (fails) throw new Error('for a while')
      },
    },
  }
  await bench.start(kinds, { clock, pollMs: 10 })
  await bench.start(kinds, { clock, pollMs: 10 })
  await until(async () => turns === 1 && (await bench.row()).lease === null, 'first turn')
  assert.deepEqual((await bench.row()).due, later(clock.now(), minutes(10)))
  fails = true
  clock.forward(minutes(10))
  await until(async () => (await bench.row()).attempt === 1, 'failed turn')
  fails = false
  clock.forward(minutes(10))
  const hadTurn = async () => {
    const { attempt, lease, due } = await bench.row()
    return attempt === 0 && lease === null && due > clock.now()
  }
  await until(hadTurn, 'a turn after the failed one')
  clock.forward(minutes(95))
  // The workers find each other's shards free at once, and may share them out only at a later look.
  const ticking = setInterval(() => clock.forward(seconds(1)), 50)
  await until(hadTurn, 'a turn after a long time').finally(() => clearInterval(ticking))
  const { due } = await bench.row()
  assert.ok(due > clock.now() && due <= later(clock.now(), minutes(10)), 'none made up')
})

test('a shorter interval of a periodic job takes effect at the next start', async () => {
  const clock = new ManualClock()
  const sweep = (everyMs: number): JobKinds => ({ sweep: { everyMs, async run() {} } })
  const worker = await bench.start(sweep(minutes(60)), { clock, pollMs: 10 })
  await until(async () => (await bench.row()).due > clock.now(), 'first turn')
  await worker.stop()
  await bench.start(sweep(minutes(5)), { clock, pollMs: 10 })
  await until(async () => (await bench.row()).due <= later(clock.now(), minutes(5)), 'sooner')
})

test('a start gives a dead periodic job another chance', async () => {
  const clock = new ManualClock()
  let turns = 0
  const kinds: JobKinds = {
    sweep: {
      everyMs: minutes(60),
      async run() {
        turns++
      },
    },
  }
  const worker = await bench.start(kinds, { clock, pollMs: 10 })
  await until(async () => turns === 1 && (await bench.row()).lease === null, 'first turn')
  await worker.stop()
  await bench.db.run(sql`update jobs set parked_at = ${clock.now()}, claims = 9`)
  await bench.start(kinds, { clock, pollMs: 10 })
  clock.forward(minutes(60))
  await until(() => turns === 2, 'second turn')
})
