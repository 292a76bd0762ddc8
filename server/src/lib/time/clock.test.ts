import assert from 'node:assert/strict'
import { test } from 'node:test'
import { days, hours, later, minutes, seconds, systemClock } from './clock.ts'

test('the functions seconds, minutes, hours and days give milliseconds', () => {
  assert.deepEqual([seconds(2), minutes(2), hours(2), days(2)], [2e3, 12e4, 72e5, 1728e5])
})

test('later returns a new time and leaves the given one unchanged', () => {
  const from = new Date('2026-03-29T00:59:59.500Z')
  assert.equal(later(from, seconds(1)).toISOString(), '2026-03-29T01:00:00.500Z')
  assert.equal(later(from, -seconds(1)).toISOString(), '2026-03-29T00:59:58.500Z')
  assert.equal(from.toISOString(), '2026-03-29T00:59:59.500Z')
})

test('the system clock returns the current time of the system', () => {
  const before = Date.now()
  const now = systemClock.now().getTime()
  assert.ok(before <= now && now <= Date.now())
})
