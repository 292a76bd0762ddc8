import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { seconds } from '../time/clock.ts'
import { createLocalLimit } from './local-limit.ts'

test('each key passes exactly the limit in any minute', () => {
  const clock = new ManualClock()
  const limit = createLocalLimit({ clock, perMinute: 3 })
  const take = (n: number, key = 'a') => Array.from({ length: n }, () => limit.take(key))
  assert.deepEqual(take(4), [true, true, true, false])
  assert.deepEqual(take(1, 'b'), [true])
  clock.forward(seconds(30))
  assert.deepEqual(take(1), [false])
  clock.forward(seconds(31))
  assert.deepEqual(take(4), [true, true, true, false])
})

test('when there are more keys than the maximum, the longest idle key is evicted', () => {
  const clock = new ManualClock()
  const limit = createLocalLimit({ clock, perMinute: 1, maxKeys: 2 })
  for (const key of ['a', 'b', 'a', 'c']) limit.take(key)
  assert.equal(limit.size, 2)
  assert.equal(limit.take('a'), false, 'it was asked about after b')
  assert.equal(limit.take('b'), true)
})
