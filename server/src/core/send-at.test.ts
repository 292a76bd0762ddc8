/** Case 16: a whole list was written to by a schedule with the date of yesterday. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../tests/support/refused.ts'
import { days, later, minutes, seconds } from '../lib/time/clock.ts'
import { readSendAt } from './send-at.ts'

const now = new Date('2026-11-27T12:00:00.000Z')
const timeZone = 'Europe/Berlin'
const daysAhead = 90

function refusalOf(text: string, zone?: string, at = now) {
  const reading = { now: at, daysAhead, ...(zone !== undefined && { timeZone: zone }) }
  const refusal = refusedBy(() => readSendAt(text, reading))
  assert.deepEqual([refusal.code, refusal.details.field], ['invalid_request', 'send_at'], text)
  return refusal
}

function momentOf(text: string, zone?: string) {
  const read = readSendAt(text, { now, daysAhead, ...(zone !== undefined && { timeZone: zone }) })
  return read.toISOString()
}

test('a moment in the past is refused with what was understood, on the clocks of its zone', () => {
  for (const [text, understood] of [
    ['2020-01-01T09:00', '2020-01-01T09:00:00+01:00 (Europe/Berlin)'],
    ['2025-12-25T09:00', '2025-12-25T09:00:00+01:00 (Europe/Berlin)'],
    ['2026-07-14T09:00', '2026-07-14T09:00:00+02:00 (Europe/Berlin)'],
    ['2026-11-26T12:00:00Z', '2026-11-26T13:00:00+01:00 (Europe/Berlin)'],
    ['2026-11-27T12:58', '2026-11-27T12:58:00+01:00 (Europe/Berlin)'],
  ] as const) {
    const { message, details } = refusalOf(text, timeZone)
    assert.ok(message.startsWith(`send_at was understood as ${understood}, which is in the past`))
    assert.deepEqual(details.data, {
      reason: 'moment_past',
      understood,
      now: now.toISOString(),
    })
  }
  const { details } = refusalOf('2026-11-27T12:00:00+01:00')
  assert.partialDeepStrictEqual(details.data, { understood: '2026-11-27T11:00:00.000Z' })
})

test('a minute in the past still means now, since clocks differ, and a minute and a second do not', () => {
  const ago = (ms: number) => later(now, -ms).toISOString()
  assert.equal(momentOf(ago(0)), now.toISOString())
  assert.equal(momentOf(ago(minutes(1))), ago(minutes(1)))
  refusalOf(ago(minutes(1) + seconds(1)))
})

test('a moment more than 90 days ahead is refused with what was understood', () => {
  momentOf(later(now, days(90)).toISOString())
  const { message } = refusalOf('2027-11-28T09:00', timeZone)
  assert.match(message, /2027-11-28T09:00:00\+01:00 \(Europe\/Berlin\), and lies at most 90 days/)
})

test('a date or a time that does not exist is refused, and never means another', () => {
  for (const [wall, why] of [
    ['2026-11-31T09:00', '2026-11 has 30 days'],
    ['2027-02-29T09:00', '2027-02 has 28 days'],
    ['2028-02-30T09:00', '2028-02 has 29 days'],
    ['2026-12-00T09:00', '2026-12 has 31 days'],
    ['2026-12-32T09:00', '2026-12 has 31 days'],
    ['2026-13-01T09:00', 'a year has no month 13'],
    ['2026-00-10T09:00', 'a year has no month 0'],
    ['2026-12-01T24:00', 'a day has the hours 00:00 to 23:59'],
    ['2026-12-01T09:60', 'a day has the hours 00:00 to 23:59'],
  ] as const) {
    for (const text of [wall, `${wall}:00Z`, `${wall}+01:00`, `${wall}:00.5-0800`]) {
      const { message } = refusalOf(text, timeZone)
      assert.ok(message.startsWith(`There is no ${text}: ${why}`), message)
    }
    refusalOf(`${wall}Z`)
  }
})

test('a time without a zone is read in that of the business, and refused where there is none to take', () => {
  assert.equal(momentOf('2026-12-01T09:00', timeZone), '2026-12-01T08:00:00.000Z')
  assert.equal(momentOf('2026-12-01T09:00:30', 'America/New_York'), '2026-12-01T14:00:30.000Z')
  assert.equal(momentOf('2026-12-01T09:00:00+0530'), '2026-12-01T03:30:00.000Z')
  for (const text of ['2026-12-01T09:00', 'tomorrow', '2026-12-01', '', '1796119200']) {
    refusalOf(text)
  }
  for (const text of ['tomorrow', '2026-12-01', '', '1796119200', '01.12.2026 09:00']) {
    refusalOf(text, timeZone)
  }
})
