import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares, type Share } from './deliver.ts'

const nothing = () => {}

/** Takes as long as there is room; returns the number taken. */
function takeAll(share: Share): number {
  let taken = 0
  while (share.take()) taken++
  return taken
}

test('a single lane gets twice the connections and some ahead, and two lanes get half of that each', () => {
  const shares = createShares(() => 20)
  assert.equal(takeAll(shares.join('a', nothing)), 56)
  const others = createShares(() => 20)
  const [one, two] = ['a', 'b'].map((lane) => others.join(lane, nothing))
  assert.deepEqual(
    [one, two].map((share) => share && takeAll(share)),
    [28, 28],
  )
})

test('many lanes have small shares, together not much more than twice the connections', () => {
  const shares = createShares(() => 20)
  const all = Array.from({ length: 10 }, (_, n) => shares.join(`lane ${n}`, nothing))
  assert.equal(
    all.reduce((sum, share) => sum + takeAll(share), 0),
    60,
  )
})

test('each lane has a minimum share, however many lanes there are', () => {
  const shares = createShares(() => 1)
  const all = Array.from({ length: 50 }, (_, n) => shares.join(`lane ${n}`, nothing))
  assert.ok(all.every((share) => takeAll(share) === 4))
})

test('the share of a lane that ends is available to the other lanes', () => {
  const shares = createShares(() => 20)
  const one = shares.join('a', nothing)
  const others = Array.from({ length: 9 }, (_, n) => shares.join(`lane ${n}`, nothing))
  assert.equal(takeAll(one), 6)
  for (const other of others) other.leave()
  // A second call does not count again.
  for (const other of others) other.leave()
  assert.equal(takeAll(one), 50)
})

test('the next job of a lane takes over the share once the first job wants no more', () => {
  const shares = createShares(() => 1)
  let called = 0
  const one = shares.join('a', nothing)
  const two = shares.join('a', () => called++)
  assert.equal(takeAll(one), 18)
  one.give()
  assert.equal(takeAll(two), 0, 'the first has not had enough')
  assert.equal(takeAll(one), 1)
  assert.equal(called, 0)
  one.enough()
  assert.equal(called, 1)
  assert.equal(takeAll(two), 0, 'what the first has in hand counts')
  for (let n = 1; n <= 18; n++) {
    one.give()
    assert.equal(called, 1 + n)
    assert.equal(takeAll(two), 1)
  }
  one.leave()
  assert.equal(takeAll(two), 0)
})

test('a job that leaves before it has its full share passes its turn on', () => {
  const shares = createShares(() => 1)
  let called = 0
  const one = shares.join('a', nothing)
  const two = shares.join('a', () => called++)
  takeAll(one)
  one.leave()
  assert.equal(called, 1)
  assert.equal(takeAll(two), 18)
})
