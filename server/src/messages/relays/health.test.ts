import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { createHealth, leftOutMs } from './health.ts'

test('an unreachable relay is left out, and then a single message tries it again', () => {
  const clock = new ManualClock()
  const health = createHealth()
  assert.equal(health.mayTry(clock.now()), true)
  health.unreachable(clock.now())
  clock.forward(leftOutMs - 1)
  assert.deepEqual([health.mayTry(clock.now()), health.isAway(clock.now())], [false, true])
  clock.forward(1)
  assert.deepEqual([health.mayTry(clock.now()), health.mayTry(clock.now())], [true, false])
  health.worked()
  assert.equal(health.mayTry(clock.now()), true)
})

test('a relay is left out after three lost connections in a row, not after two', () => {
  const clock = new ManualClock()
  const health = createHealth()
  health.broke(clock.now())
  health.broke(clock.now())
  health.worked()
  health.broke(clock.now())
  health.broke(clock.now())
  assert.equal(health.mayTry(clock.now()), true)
  health.broke(clock.now())
  assert.equal(health.mayTry(clock.now()), false)
})
