import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTime } from '../contact.ts'
import {
  daysOfYearAhead,
  endOf,
  firstDayFrom,
  readDuration,
  shifted,
  spanOf,
  startOf,
} from './times.ts'

const at = (text: string) => new Date(text)

test('a duration is a number and a unit', () => {
  assert.deepEqual(readDuration('1 day'), { count: 1, unit: 'day' })
  assert.deepEqual(readDuration('100 years'), { count: 100, unit: 'year' })
  for (const text of [
    '',
    '0 days',
    '-1 days',
    '1.5 days',
    '1 fortnight',
    '1  day',
    '101 years',
    '1 day ago',
    '1e3 days',
    ' 1 day',
    '٣ days',
  ]) {
    assert.equal(readDuration(text), undefined, text)
  }
})

test('months and years follow the calendar', () => {
  const end = at('2026-03-31T10:00:00Z')
  assert.deepEqual(shifted(end, '1 month', -1), at('2026-02-28T10:00:00Z'))
  assert.deepEqual(shifted(end, '1 month', 1), at('2026-04-30T10:00:00Z'))
  assert.deepEqual(shifted(at('2028-02-29T00:00:00Z'), '1 year', -1), at('2027-02-28T00:00:00Z'))
  assert.deepEqual(shifted(end, '2 weeks', -1), at('2026-03-17T10:00:00Z'))
})

test('a day begins and ends in its time zone, also when clocks change', () => {
  assert.deepEqual(startOf('2026-03-29', 'Europe/Paris'), at('2026-03-28T23:00:00Z'))
  assert.deepEqual(endOf('2026-03-29', 'Europe/Paris'), at('2026-03-29T22:00:00Z'))
  // Cairo's clocks go from 23:59 to 01:00, so that day has no midnight.
  assert.deepEqual(startOf('2026-04-24', 'Africa/Cairo'), at('2026-04-23T22:00:00Z'))
  assert.equal(firstDayFrom(at('2026-04-23T22:00:00Z'), 'Africa/Cairo'), '2026-04-24')
  assert.equal(firstDayFrom(at('2026-04-23T22:00:01Z'), 'Africa/Cairo'), '2026-04-25')
})

test('a span that ends at a moment includes that moment', () => {
  assert.deepEqual(startOf('2026-03-29T00:00:00+01:00', 'UTC'), at('2026-03-28T23:00:00Z'))
  assert.deepEqual(endOf('2026-03-28T23:00:00Z', 'UTC'), at('2026-03-28T23:00:00.001Z'))
})

test('a time is an existing day, or a moment with its offset', () => {
  for (const time of [
    '2026-11-01',
    '2028-02-29',
    '2026-11-01T09:00Z',
    '2026-11-01T09:00:00.5+05:45',
  ]) {
    assert.ok(isTime(time), time)
  }
  for (const text of [
    '2026-02-29',
    '2026-02-29T00:00:00Z',
    '2026-11-01T09:00',
    '2026-11-1',
    'today',
    '0001-01-01',
    '9999-01-01',
    '2026-11-01T25:00Z',
  ]) {
    assert.ok(!isTime(text), text)
  }
})

test('the days ahead include today', () => {
  const now = { now: at('2026-12-30T23:30:00Z'), zone: 'Europe/Paris' }
  assert.deepEqual(daysOfYearAhead(now, '2 days'), ['12-31', '01-01', '01-02'])
  const march = (year: number) => ({ now: at(`${year}-02-28T12:00:00Z`), zone: 'UTC' })
  assert.deepEqual(daysOfYearAhead(march(2027), '1 day'), ['02-28', '02-29', '03-01'])
  assert.deepEqual(daysOfYearAhead(march(2028), '1 day'), ['02-28', '02-29'])
  assert.equal(daysOfYearAhead(march(2028), '1 year').length, 366)
})

test('until is exclusive, and now is inclusive', () => {
  const now = { now: at('2026-11-20T10:00:00Z'), zone: 'UTC' }
  assert.deepEqual(spanOf({ within: '1 hour' }, now), {
    from: at('2026-11-20T09:00:00Z'),
    until: at('2026-11-20T10:00:00.001Z'),
  })
  assert.deepEqual(spanOf({ since: '2026-11-01', until: '2026-12-01' }, now), {
    from: at('2026-11-01T00:00:00Z'),
    until: at('2026-12-01T00:00:00Z'),
  })
  assert.deepEqual(spanOf({}, now), {})
})
