/** Times and durations for property tests, many of them around clock changes. */
import { fc } from '../properties.ts'
import type { EvaluationTime } from './oracle.ts'

export const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)

/** Around days on which the clocks change, and the days of leap years. */
const nows = [
  '2026-03-29T00:30:00Z',
  '2026-10-25T01:00:00Z',
  '2026-11-01T05:59:59Z',
  '2027-02-26T23:15:00Z',
  '2028-02-28T12:00:00Z',
  '2026-12-31T22:45:00Z',
]
const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Pacific/Apia',
  'Pacific/Kiritimati',
]

export const someWhen: fc.Arbitrary<EvaluationTime> = fc.record({
  now: fc.constantFrom(...nows).map((text) => new Date(text)),
  zone: fc.constantFrom(...zones),
})

export const days = [
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '2026-04-24',
  '2026-10-24',
  '2026-10-25',
  '2026-10-31',
  '2026-11-01',
  '2027-01-01',
  '2027-02-27',
  '2027-02-28',
  '2028-02-29',
  '2024-02-29',
  '1988-03-01',
]
export const moments = [
  '2026-03-29T01:00:00Z',
  '2026-03-29T00:00:00+01:00',
  '2026-10-25T02:30:00+02:00',
  '2026-10-25T00:59:59.999Z',
  '2026-11-01T00:00:00-04:00',
  '2026-11-01T05:59:59Z',
  '2027-01-01T00:00:00+14:00',
  '2028-02-29T10:00Z',
]

export const duration = oneOf([
  '30 minutes',
  '1 hour',
  '3 days',
  '2 weeks',
  '1 month',
  '90 days',
  '2 years',
])
export const time = fc.oneof(oneOf(days), oneOf(moments))

export const aMoment = fc.oneof(
  oneOf([...nows, ...moments].map((text) => new Date(text))),
  fc.date({ min: new Date('2026-01-01Z'), max: new Date('2028-03-02Z'), noInvalidDate: true }),
)
