import assert from 'node:assert/strict'
import { test } from 'node:test'
import { days, hours, later, minutes, seconds } from '../lib/time/clock.ts'
import { nextTry } from './retry.ts'

const queuedAt = new Date('2026-11-20T10:00:00Z')

test('retries come at growing intervals, then every four hours', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 20].map((attempts) => {
    const next = nextTry({ attempts, queuedAt }, queuedAt, () => 0)
    return (next?.getTime() ?? 0) - queuedAt.getTime()
  })
  const four = hours(4)
  assert.deepEqual(waits, [
    seconds(30),
    minutes(2),
    minutes(10),
    minutes(30),
    hours(1),
    hours(2),
    four,
    four,
  ])
})

test('retry times are spread by up to a tenth, in steps that many messages share', () => {
  const times = Array.from({ length: 200 }, (_, n) =>
    nextTry({ attempts: 5, queuedAt }, later(queuedAt, n), () => n / 200)?.getTime(),
  )
  const after = [...new Set(times)].map((time) => (time ?? 0) - queuedAt.getTime())
  assert.deepEqual(after, [minutes(60), minutes(63), minutes(66)])
})

test('after three days there is no further retry', () => {
  assert.ok(nextTry({ attempts: 9, queuedAt }, later(queuedAt, days(3) - 1)))
  assert.equal(nextTry({ attempts: 9, queuedAt }, later(queuedAt, days(3))), undefined)
})
