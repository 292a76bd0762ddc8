import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAt, momentAt } from './wall-clock.ts'

const at = (wallTime: string, zone: string) => momentAt(wallTime, zone)?.toISOString()

test('a local time in a zone is converted to the moment at which its clocks show it, in summer and winter', () => {
  assert.equal(at('2026-11-30T09:00', 'Europe/Paris'), '2026-11-30T08:00:00.000Z')
  assert.equal(at('2026-07-14T09:00:30', 'Europe/Paris'), '2026-07-14T07:00:30.000Z')
  assert.equal(at('2026-11-30T09:00', 'Asia/Kolkata'), '2026-11-30T03:30:00.000Z')
  assert.equal(at('2026-11-30T09:00', 'Pacific/Kiritimati'), '2026-11-29T19:00:00.000Z')
  assert.equal(at('2026-11-30T09:00', 'UTC'), '2026-11-30T09:00:00.000Z')
})

test('a local time that clocks skip is moved forward, and one that they show twice means the first', () => {
  assert.equal(at('2026-03-29T02:30', 'Europe/Paris'), '2026-03-29T01:30:00.000Z')
  assert.equal(at('2026-03-29T10:00', 'Europe/Paris'), '2026-03-29T08:00:00.000Z')
  assert.equal(at('2026-10-25T02:30', 'Europe/Paris'), '2026-10-25T00:30:00.000Z')
  assert.equal(at('2026-10-25T10:00', 'Europe/Paris'), '2026-10-25T09:00:00.000Z')
})

test('a local date and time that no clock shows is rejected', () => {
  for (const wrong of [
    '2026-02-31T09:00',
    '2026-11-30T25:00',
    '2026-11-30',
    'soon',
    '0000-01-01T09:00',
    '0001-01-01T09:00',
    '9999-12-31T09:00',
  ]) {
    assert.equal(at(wrong, 'Europe/Paris'), undefined, wrong)
  }
})

test('the day of a moment is taken from the calendar of the zone', () => {
  const moment = new Date('2026-11-30T22:30:00Z')
  assert.equal(dayAt(moment, 'Europe/Paris'), '2026-11-30')
  assert.equal(dayAt(moment, 'Europe/Helsinki'), '2026-12-01')
  assert.equal(dayAt(moment, 'Pacific/Pago_Pago'), '2026-11-30')
})
