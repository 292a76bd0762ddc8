import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later, minutes, seconds } from '../../lib/time/clock.ts'
import { canaryOf, paceOf, perTick, untilNext } from './pace.ts'

const start = new Date('2026-11-20T10:00:00Z')
const run = { tokens: 0, pacedAt: start, canary: 0, dispatched: 0 }

test('without a throttle a tick takes as many recipients as the send queue has room for', () => {
  const room = (jobs: number) => paceOf(run, { throttle: null, jobs, now: start }).room
  assert.equal(room(0), perTick)
  assert.equal(room(13), 400)
  assert.equal(room(15), 0)
  assert.equal(room(40), 0)
})

test('a throttle holds however often a tick runs, and saves up at most two seconds', () => {
  let its = run
  let taken = 0
  for (let at = 0; at <= minutes(5); at += 250) {
    const now = later(start, at)
    const { room, tokens } = paceOf(its, { throttle: 90, jobs: 0, now })
    taken += room
    its = { ...its, tokens: tokens - room, pacedAt: now }
  }
  assert.equal(taken, 450)
  const after = (ms: number) => paceOf(run, { throttle: 600, jobs: 0, now: later(start, ms) }).room
  assert.equal(after(seconds(1)), 10)
  assert.equal(after(minutes(10)), 20)
})

test('a throttle below one message a second sends one when it is due', () => {
  const after = (ms: number) => paceOf(run, { throttle: 6, jobs: 0, now: later(start, ms) })
  assert.equal(after(seconds(9)).room, 0)
  assert.equal(untilNext(after(seconds(9)).tokens, 6), seconds(1))
  assert.equal(after(seconds(10)).room, 1)
})

test('a campaign above 1,000 recipients sends to 2 % first', () => {
  assert.deepEqual([1_000, 1_001, 100_000].map(canaryOf), [0, 21, 2_000])
  const room = (dispatched: number) =>
    paceOf({ ...run, canary: 21, dispatched }, { throttle: null, jobs: 0, now: start }).room
  assert.equal(room(0), 21)
  assert.equal(room(20), 1)
  assert.equal(room(21), perTick)
})
