/**
 * Times in filters. A duration counts back from now; a day is a day in the business's time zone,
 * whatever its length. Pure.
 */

import { days, hours, later, minutes } from '../../lib/time/clock.ts'
import { dayAt, momentAt } from '../../lib/time/wall-clock.ts'
import { isDay } from '../contact.ts'
import { filterLimits, type Window } from './filter.ts'

/** From (inclusive) and until (exclusive); an absent end is open. */
export interface Span {
  from?: Date
  until?: Date
}

/** The reference for times: the moment of the call, and the business's time zone. */
export interface Now {
  now: Date
  zone: string
}

export const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
type Unit = (typeof units)[number]

interface Duration {
  count: number
  unit: Unit
}

/** `30 days`, `1 month`; undefined for anything else. */
export function readDuration(text: string): Duration | undefined {
  const [digits = '', word = '', ...more] = text.slice(0, 40).split(' ')
  const unit = units.find((entry) => word === entry || word === `${entry}s`)
  const count = isDigits(digits) ? Number(digits) : 0
  if (!unit || more.length > 0 || count < 1 || count > maximumOf(unit)) return undefined
  return { count, unit }
}

const isDigits = (text: string) => /^\d{1,9}$/.test(text)

const longest: Readonly<Record<Unit, number>> = {
  minute: minutes(1),
  hour: hours(1),
  day: days(1),
  week: days(7),
  month: days(31),
  year: days(366),
}

function maximumOf(unit: Unit): number {
  return Math.floor((filterLimits.years * longest.year) / longest[unit])
}

/** The moment that long before or after now; months and years follow the calendar. */
export function shifted(now: Date, duration: string, direction: -1 | 1): Date {
  const read = readDuration(duration)
  if (!read) throw new Error('a duration was not read before it was used')
  const { count, unit } = read
  if (unit !== 'month' && unit !== 'year') return later(now, direction * count * longest[unit])
  const months = direction * count * (unit === 'year' ? 12 : 1)
  const date = new Date(now)
  date.setUTCMonth(date.getUTCMonth() + months)
  // There is no 31st of February: use the last day of that month.
  if (date.getUTCDate() !== now.getUTCDate()) date.setUTCDate(0)
  return date
}

/** The moment itself, or the start of the day. */
export function startOf(time: string, zone: string): Date {
  const start = isDay(time) ? momentAt(`${time}T00:00`, zone) : new Date(time)
  if (!start) throw new Error('a day was not read before it was used')
  return start
}

/** Just after the moment, or the end of the day. */
export function endOf(time: string, zone: string): Date {
  return isDay(time) ? startOf(dayAfter(time), zone) : later(new Date(time), 1)
}

export function dayAfter(day: string): string {
  return later(new Date(`${day}T00:00Z`), days(1))
    .toISOString()
    .slice(0, 10)
}

/** The first day that begins at this moment or later. */
export function firstDayFrom(moment: Date, zone: string): string {
  const day = dayAt(moment, zone)
  return startOf(day, zone) >= moment ? day : dayAfter(day)
}

/** The days from today to the end of the duration, as `11-30`, without duplicates. */
export function daysOfYearAhead({ now, zone }: Now, duration: string): string[] {
  const last = dayAt(shifted(now, duration, 1), zone)
  const times = new Set<string>()
  for (let day = dayAt(now, zone); day <= last && times.size < 366; day = dayAfter(day)) {
    times.add(day.slice(5))
    // Somebody born on 29 February has a birthday every year.
    if (day.endsWith('-02-28') && dayAfter(day).endsWith('-03-01')) times.add('02-29')
  }
  return [...times]
}

export function spanOf({ within, since, until }: Window, { now, zone }: Now): Span {
  if (within !== undefined) return { from: shifted(now, within, -1), until: later(now, 1) }
  return {
    ...(since !== undefined && { from: startOf(since, zone) }),
    ...(until !== undefined && { until: startOf(until, zone) }),
  }
}
