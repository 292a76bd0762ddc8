import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsToWait } from './retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test('Retry-After may be a number of seconds', () => {
  assert.equal(secondsToWait('17', now), 17)
  assert.equal(secondsToWait(' 0 ', now), 0)
})

test('Retry-After may be a date, and a date in the past means zero seconds', () => {
  assert.equal(secondsToWait('Thu, 01 Jan 2026 00:01:30 GMT', now), 90)
  assert.equal(secondsToWait('Wed, 31 Dec 2025 23:00:00 GMT', now), 0)
})

test('a missing or invalid Retry-After header gives no time', () => {
  for (const header of [null, '', 'soon']) assert.equal(secondsToWait(header, now), undefined)
})
