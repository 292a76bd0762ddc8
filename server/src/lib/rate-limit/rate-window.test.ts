import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import {
  advance,
  countOne,
  createWindow,
  ownCounts,
  replaceOthers,
  secondsUntilBelow,
  secondsUntilEmpty,
} from './rate-limit.ts'

test('a request counts for sixty seconds, wherever in its second it arrived', () => {
  const window = createWindow(1000)
  countOne(window)
  advance(window, 1060)
  assert.equal(window.sum, 1)
  advance(window, 1061)
  assert.equal(window.sum, 0)
})

test('the window’s sum always equals the requests of the last 61 seconds in a plain list', () => {
  const step = fc.record({ pause: fc.integer({ min: 0, max: 70 }), requests: fc.nat(5) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const window = createWindow(5000)
      const seen: number[] = []
      let now = 5000
      for (const { pause, requests } of steps) {
        now += pause
        advance(window, now)
        for (let i = 0; i < requests; i++) {
          countOne(window)
          seen.push(now)
        }
        assert.equal(window.sum, seen.filter((at) => at >= now - 60).length)
      }
    }),
  )
})

test('a clock set back a little keeps the window, and a clock set back an hour resets it', () => {
  const window = createWindow(10_000)
  countOne(window)
  advance(window, 9_990)
  assert.deepEqual([window.second, window.sum], [10_000, 1])
  advance(window, 6_400)
  assert.deepEqual([window.second, window.sum], [6_400, 0])
})

test('the wait lasts until enough of the oldest requests have aged out', () => {
  const window = createWindow(100)
  countOne(window)
  advance(window, 110)
  countOne(window)
  countOne(window)
  assert.equal(secondsUntilBelow(window, 4), 0)
  assert.equal(secondsUntilBelow(window, 3), 51)
  assert.equal(secondsUntilBelow(window, 2), 61)
  assert.equal(secondsUntilEmpty(window), 61)
})

test('counts arrive at another node as they were sent', () => {
  const sender = createWindow(100)
  countOne(sender)
  countOne(sender)
  advance(sender, 103)
  countOne(sender)
  assert.deepEqual(ownCounts(sender), { lastSecond: 103, counts: [2, 0, 0, 1] })

  const receiver = createWindow(104)
  countOne(receiver)
  replaceOthers(receiver, [ownCounts(sender)])
  assert.equal(receiver.sum, 4)
  advance(receiver, 161)
  assert.equal(receiver.sum, 2)
})

test('a later report of another node replaces the earlier one, and an empty one clears it', () => {
  const window = createWindow(100)
  countOne(window)
  replaceOthers(window, [{ lastSecond: 100, counts: [5] }])
  replaceOthers(window, [
    { lastSecond: 100, counts: [7] },
    { lastSecond: 99, counts: [1, 2] },
  ])
  assert.equal(window.sum, 11)
  replaceOthers(window, [])
  assert.equal(window.sum, 1)
})

test('counts from a node with a fast clock count now, and counts that are too old do not', () => {
  const window = createWindow(100)
  replaceOthers(window, [
    { lastSecond: 107, counts: [3] },
    { lastSecond: 40, counts: [9, 9, 1] },
  ])
  assert.equal(window.sum, 4)
})
