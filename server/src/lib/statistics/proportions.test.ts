import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceInterval, quantileFor, shareInterval } from './proportions.ts'

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.0006, `${actual} is not about ${expected}`)

test('the interval of a share is the published one, also for none and all', () => {
  // Newcombe, Statistics in Medicine 17 (1998), p. 861, method 3.
  const published = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const
  for (const [did, of, low, high] of published) {
    const interval = shareInterval({ did, of }, 1.96)
    near(interval.low, low)
    near(interval.high, high)
  }
  assert.deepEqual(shareInterval({ did: 0, of: 0 }, 1.96), { low: 0, high: 1 })
})

test('the interval of a difference is the published one', () => {
  // Newcombe, Statistics in Medicine 17 (1998), p. 880, method 10.
  const published = [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
  ] as const
  for (const [x, m, y, n, low, high] of published) {
    const interval = differenceInterval({ did: x, of: m }, { did: y, of: n }, 1.96)
    near(interval.low, low)
    near(interval.high, high)
  }
})

test('equal variants differ beyond chance in at most one test of twenty', () => {
  // A generator with a fixed seed, so that the test always sees the same campaigns.
  let state = 42
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  for (const groups of [2, 5]) {
    let named = 0
    for (let round = 0; round < 1_000; round++) {
      const shares = Array.from({ length: groups }, () => {
        let did = 0
        for (let person = 0; person < 200; person++) if (random() < 0.1) did++
        return { of: 200, did }
      })
      const [best, ...others] = shares.toSorted((a, b) => b.did - a.did)
      assert.ok(best)
      const z = quantileFor(groups)
      if (others.every((other) => differenceInterval(best, other, z).low > 0)) named++
    }
    assert.ok(named <= 60, `${named} of 1,000 tests of ${groups} equal variants named a winner`)
  }
})
