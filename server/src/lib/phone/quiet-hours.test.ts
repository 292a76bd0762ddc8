import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { days, hours, later, minutes } from '../time/clock.ts'
import { zonesOfNumber } from './phone-zones.ts'
import { quietUntil } from './quiet-hours.ts'

const paris = '+33612345678'

function deferredUntil(number: string, zone: string | undefined, at: string): string | undefined {
  return quietUntil(number, zone, new Date(at))?.toISOString()
}

test('texts may go from nine to eight in Paris: at nine sharp, but not at eight in the evening', () => {
  assert.equal(
    deferredUntil(paris, undefined, '2026-11-20T07:59:59.999Z'),
    '2026-11-20T08:00:00.000Z',
  )
  assert.equal(deferredUntil(paris, undefined, '2026-11-20T08:00:00Z'), undefined)
  assert.equal(deferredUntil(paris, undefined, '2026-11-20T18:59:59.999Z'), undefined)
  assert.equal(deferredUntil(paris, undefined, '2026-11-20T19:00:00Z'), '2026-11-21T08:00:00.000Z')
})

test("the contact's own time zone takes precedence over the zone of the number", () => {
  assert.equal(deferredUntil(paris, 'Asia/Tokyo', '2026-11-20T03:00:00Z'), undefined)
  assert.equal(deferredUntil(paris, undefined, '2026-11-20T03:00:00Z'), '2026-11-20T08:00:00.000Z')
  assert.equal(deferredUntil('+80012345678', 'Asia/Tokyo', '2026-11-20T03:00:00Z'), undefined)
})

test('a time zone that does not exist counts as unknown', () => {
  for (const zone of ['Europe/Atlantis', '+09:00', '']) {
    assert.equal(deferredUntil(paris, zone, '2026-11-20T03:00:00Z'), '2026-11-20T08:00:00.000Z')
  }
})

test('quiet hours end by the local clock in zones with half-hour and quarter-hour offsets', () => {
  const first = (number: string, zone?: string) =>
    deferredUntil(number, zone, '2026-01-10T00:00:00Z')
  assert.equal(first('+919812345678'), '2026-01-10T03:30:00.000Z')
  assert.equal(first('+9779812345678'), '2026-01-10T03:15:00.000Z')
  assert.equal(
    deferredUntil(paris, 'Australia/Eucla', '2026-01-10T00:14:00Z'),
    '2026-01-10T00:15:00.000Z',
  )
  assert.equal(first(paris, 'Pacific/Chatham'), undefined)
  assert.equal(
    deferredUntil(paris, 'Pacific/Chatham', '2026-01-10T06:15:00Z'),
    '2026-01-10T19:15:00.000Z',
  )
})

test('on the day the clocks go forward, quiet hours end one hour earlier in UTC', () => {
  // Paris, 29 March 2026: 02:00 becomes 03:00.
  assert.equal(deferredUntil(paris, undefined, '2026-03-28T19:00:00Z'), '2026-03-29T07:00:00.000Z')
  assert.equal(deferredUntil(paris, undefined, '2026-03-29T06:59:00Z'), '2026-03-29T07:00:00.000Z')
  assert.equal(deferredUntil(paris, undefined, '2026-03-29T18:00:00Z'), '2026-03-30T07:00:00.000Z')
  // New York, 8 March 2026.
  assert.equal(
    deferredUntil('+12125550100', undefined, '2026-03-08T01:00:00Z'),
    '2026-03-08T13:00:00.000Z',
  )
})

test('on the day the clocks go back, quiet hours end one hour later in UTC', () => {
  // Paris, 25 October 2026: 03:00 becomes 02:00.
  assert.equal(deferredUntil(paris, undefined, '2026-10-24T18:00:00Z'), '2026-10-25T08:00:00.000Z')
  assert.equal(deferredUntil(paris, undefined, '2026-10-25T18:59:00Z'), undefined)
  assert.equal(
    deferredUntil('+12125550100', undefined, '2026-11-01T00:00:00Z'),
    '2026-11-01T14:00:00.000Z',
  )
  // On Lord Howe Island the clocks go back by half an hour, 5 April 2026.
  assert.equal(
    deferredUntil(paris, 'Australia/Lord_Howe', '2026-04-04T10:00:00Z'),
    '2026-04-04T22:30:00.000Z',
  )
})

test('a number with two possible zones opens with the later zone and closes with the earlier one', () => {
  const indiana = '+12195550100'
  assert.equal(
    deferredUntil(indiana, undefined, '2026-01-10T14:00:00Z'),
    '2026-01-10T15:00:00.000Z',
  )
  assert.equal(deferredUntil(indiana, undefined, '2026-01-11T00:59:00Z'), undefined)
  assert.equal(
    deferredUntil(indiana, undefined, '2026-01-11T01:00:00Z'),
    '2026-01-11T15:00:00.000Z',
  )
})

test('Arizona numbers keep standard time all year, except in an area code that also covers the Navajo Nation', () => {
  const navajo = '+19285550100'
  assert.equal(deferredUntil(navajo, undefined, '2026-01-10T15:00:00Z'), '2026-01-10T16:00:00.000Z')
  assert.equal(deferredUntil(navajo, undefined, '2026-07-11T02:30:00Z'), '2026-07-11T16:00:00.000Z')
  assert.equal(deferredUntil('+16025550100', undefined, '2026-07-11T02:30:00Z'), undefined)
})

test('a Russian mobile number without a known zone has one allowed hour a day', () => {
  const moscow = '+79161234567'
  assert.equal(deferredUntil(moscow, undefined, '2026-11-20T06:00:00Z'), '2026-11-20T07:00:00.000Z')
  assert.equal(deferredUntil(moscow, undefined, '2026-11-20T07:59:00Z'), undefined)
  assert.equal(deferredUntil(moscow, undefined, '2026-11-20T08:00:00Z'), '2026-11-21T07:00:00.000Z')
  assert.equal(deferredUntil(moscow, 'Europe/Moscow', '2026-11-20T08:00:00Z'), undefined)
})

test('a text to a number without a time zone is held for a day and then checked again', () => {
  assert.equal(
    deferredUntil('+80012345678', undefined, '2026-11-20T12:00:00Z'),
    '2026-11-21T12:00:00.000Z',
  )
})

const zones = Intl.supportedValuesOf('timeZone')
const someZone = fc.constantFrom(...zones)
const someMoment = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2029-01-01T00:00:00Z'),
  noInvalidDate: true,
})

/** A second implementation: the hour from the formatted parts of a date. */
function isAwake(zone: string, at: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const hour = Number(parts.find(({ type }) => type === 'hour')?.value)
  return hour >= 9 && hour < 20
}

test('in any zone and at any moment, quiet hours end at the first allowed minute', () => {
  fc.assert(
    fc.property(someZone, someMoment, (zone, now) => {
      const opens = quietUntil(paris, zone, now)
      if (!opens) return isAwake(zone, now)
      if (!isAwake(zone, opens) || isAwake(zone, now)) return false
      const before = later(opens, -minutes(1))
      return opens > now && later(now, hours(16)) > opens && !isAwake(zone, before)
    }),
    { numRuns: 3_000 },
  )
})

const numbers = ['+12195550100', '+19075550100', '+79161234567', '+5581987654321', '+18005550100']

test('for any number and moment, quiet hours end at the first minute allowed in all its zones', () => {
  fc.assert(
    fc.property(fc.constantFrom(...numbers), someMoment, (number, now) => {
      const all = zonesOfNumber(number)
      const awake = (at: Date) => all.every((zone) => isAwake(zone, at))
      const opens = quietUntil(number, undefined, now)
      if (!opens) return awake(now)
      return !awake(now) && awake(opens) && !awake(later(opens, -minutes(1)))
    }),
    { numRuns: 300 },
  )
})

test('the quiet-hours check is cheap enough to run for each recipient of a campaign', () => {
  const from = new Date('2026-07-01T00:00:00Z')
  const began = cpuMs()
  for (let n = 0; n < 20_000; n++) quietUntil(`+1212555${1000 + (n % 9000)}`, undefined, from)
  const each = (cpuMs() - began) / 20_000
  assert.ok(each < 0.5, `${each} ms each`)
  assert.ok(quietUntil(paris, 'Asia/Tokyo', later(from, days(1))) === undefined)
})
