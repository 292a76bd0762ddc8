import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import { nextCheck, nextOnSchedule } from './schedule.ts'

const start = new Date('2026-11-20T10:00:00Z')
const after = (milliseconds: number) => later(start, milliseconds)

test('domain checks run after 1, 2, 5 and 15 minutes, hourly up to 72 hours, then daily', () => {
  const times: number[] = []
  for (let now = start; times.length < 80; ) {
    now = nextOnSchedule(start, now)
    times.push((now.getTime() - start.getTime()) / minutes(1))
  }
  const hourly = Array.from({ length: 72 }, (_, i) => (i + 1) * 60)
  const daily = [4, 5, 6, 7].map((day) => day * 24 * 60)
  assert.deepEqual(times, [1, 2, 5, 15, ...hourly, ...daily])
})

test('a late check is followed by the next one on the schedule and not by all missed checks', () => {
  assert.deepEqual(nextOnSchedule(start, after(minutes(7))), after(minutes(15)))
  assert.deepEqual(nextOnSchedule(start, after(hours(200))), after(hours(216)))
})

const domain = {
  createdAt: start,
  status: 'pending' as const,
  passes: 0,
  misses: 0,
  heldElsewhere: false,
  awaitsPerson: false,
  keys: [],
}

test('the first passed check is followed by the second one a minute later', () => {
  const now = after(hours(30))
  assert.deepEqual(nextCheck(domain, now), after(hours(31)))
  assert.deepEqual(nextCheck({ ...domain, passes: 1 }, now), later(now, minutes(1)))
  assert.deepEqual(nextCheck({ ...domain, passes: 2 }, now), after(hours(31)))
})

test('a verified domain with a failed check is checked every 12 hours', () => {
  const now = after(hours(24 * 30))
  const missed = { ...domain, status: 'verified' as const, misses: 1 }
  assert.deepEqual(nextCheck(missed, now), later(now, hours(12)))
})

test('a DKIM key rotation schedules its own checks', () => {
  const now = after(hours(24 * 30))
  const key = {
    slot: 2 as const,
    state: 'coming' as const,
    rsaPublic: '',
    ed25519Public: null,
    seenAt: null,
    ttlSeconds: 600,
    leavesAt: null,
    createdAt: now,
  }
  const verified = { ...domain, status: 'verified' as const }
  assert.deepEqual(nextCheck({ ...verified, keys: [key] }, now), later(now, minutes(1)))
  const seen = { ...key, seenAt: now }
  assert.deepEqual(nextCheck({ ...verified, keys: [seen] }, now), later(now, seconds(1200)))
  const leaving = { ...key, state: 'leaving' as const, leavesAt: later(now, hours(2)) }
  assert.deepEqual(nextCheck({ ...verified, keys: [leaving] }, now), later(now, hours(2)))
})
