import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryTrimmer } from './trim-memory.ts'

/** Looks every two seconds at these shares of a core; returns the times of the collections. */
function collections(shares: number[], costs = 0): number[] {
  let processor = 0
  const at: number[] = []
  let second = 0
  const look = createMemoryTrimmer({
    processor: () => processor,
    collect() {
      at.push(second)
      processor += costs * 2e6
    },
  })
  for (const share of shares) {
    second += 2
    processor += share * 2e6
    look()
  }
  return at
}

const quiet = Array.from({ length: 20 }, () => 0.01)

test('memory is released once after each load, when calls have ceased', () => {
  assert.deepEqual(collections([0.01, 0.9, 0.8, 0.01, ...quiet, 0.5, 0.01]), [8, 52])
})

test('memory is not released while some calls continue', () => {
  assert.deepEqual(collections([0.9, 0.11, 0.2, 0.11, 0.1]), [10])
})

test('low activity is not followed by a release, and a collection itself does not count as load', () => {
  assert.deepEqual(collections([0.2, 0.01, 0.19, 0.01]), [])
  assert.deepEqual(collections([0.21, ...quiet], 0.5), [4])
})

test('memory is released at most once in half a minute', () => {
  const bursts = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 0.9 : 0.01))
  assert.deepEqual(collections(bursts), [4, 36, 68, 100])
})
