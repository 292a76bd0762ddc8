/**
 * Reads `send_at`, the moment at which a mail, a text or a campaign is sent. One function judges it
 * for all of them, since a wrong year or a date that does not exist cannot be taken back once
 * everybody has the message.
 */

import { days, later, minutes } from '../lib/time/clock.ts'
import {
  isWithOffset,
  momentAt,
  momentOf,
  wallTimeForm,
  withOffset,
} from '../lib/time/wall-clock.ts'
import { type Refusal, refuse } from './errors.ts'

/** Clocks differ, and a call takes its time: so much in the past still means now. */
const toleratedMs = minutes(1)

export interface SendAtAsked {
  now: Date
  /** The zone of a time that names none. Without it, the text must name its offset. */
  timeZone?: string
  /** How many days ahead a moment may lie. */
  daysAhead: number
}

/** The moment, which is now or later but for the tolerated minute; or the refusal. */
export function readSendAt(text: string, { now, timeZone, daysAhead }: SendAtAsked): Date {
  const isWall = timeZone !== undefined && wallTimeForm.test(text)
  if (!isWall && !isWithOffset(text)) {
    const form =
      timeZone === undefined
        ? 'send_at must be a moment with its zone, such as 2026-11-30T09:00:00+01:00.'
        : 'send_at must be a moment, such as 2026-11-30T09:00:00+01:00.'
    throw wrong(form, { reason: 'no_moment' })
  }
  const moment = isWall ? momentAt(text, timeZone) : momentOf(text)
  if (!moment) throw wrong(`There is no ${text}: ${missingPart(text)}.`, { reason: 'no_moment' })
  const understood = timeZone === undefined ? moment.toISOString() : inZone(moment, timeZone)
  const data = { understood, now: now.toISOString() }
  if (moment < later(now, -toleratedMs)) {
    const past = `send_at was understood as ${understood}, which is in the past: it is ${now.toISOString()} now. Nothing was sent. Give a later moment, or leave send_at out to send at once.`
    throw wrong(past, { reason: 'moment_past', ...data })
  }
  if (moment > later(now, days(daysAhead))) {
    const far = `send_at was understood as ${understood}, and lies at most ${daysAhead} days ahead.`
    throw wrong(far, { reason: 'moment_too_far', limit: daysAhead, ...data })
  }
  return moment
}

/** A moment and its zone as a person reads them: `2026-11-30T09:00:00+01:00 (Europe/Berlin)`. */
const inZone = (moment: Date, zone: string) => `${withOffset(moment, zone)} (${zone})`

/** Which part of a date or a time does not exist. */
function missingPart(text: string): string {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  if (month < 1 || month > 12) return `a year has no month ${month}`
  // The day before the first of the next month is the last of this one.
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day < 1 || day > last) return `${text.slice(0, 7)} has ${last} days`
  return 'a day has the hours 00:00 to 23:59, and years have four digits'
}

function wrong(text: string, data: Record<string, unknown>): Refusal {
  return refuse('invalid_request', text, { field: 'send_at', data })
}
