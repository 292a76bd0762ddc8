import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { awayMs, createHealth, leftOutMs } from './relays.ts'

test('an unreachable relay is left out, and then a single message tries it again', () => {
  const clock = new ManualClock()
  const health = createHealth()
  assert.equal(health.mayTry(clock.now()), true)
  health.unreachable(clock.now(), 'ECONNREFUSED')
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

test('an outage counts without a gap between two attempts, and is reported once at each end', () => {
  const clock = new ManualClock()
  const told: string[] = []
  const health = createHealth({ away: (code) => told.push(code), back: () => told.push('back') })
  const isAway = () => health.isAway(clock.now())
  health.worked()
  assert.deepEqual([isAway(), told], [false, []])
  for (const _ of Array(3)) {
    health.unreachable(clock.now(), 'EAUTH')
    // Mail that found no connection is tried again after two minutes at the latest.
    clock.forward(120_000)
    assert.equal(isAway(), true)
  }
  clock.forward(awayMs - 120_000 - 1)
  assert.equal(isAway(), true)
  clock.forward(1)
  assert.equal(isAway(), false, 'no mail was due since that could fail')
  assert.deepEqual(told, ['EAUTH'])
  health.worked()
  assert.deepEqual(told, ['EAUTH', 'back'])
})
