/** Local times in a zone, and the moments that they denote. */
import { days, later } from './clock.ts'

/** A date and a time without a zone: `2026-11-30T09:00`. */
export const wallTimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/

/**
 * The moment at which clocks of the zone show this time. Where clocks are put forward and skip it,
 * the result is later by as much. Where clocks show it twice, it is the first time.
 */
export function momentAt(wallTime: string, zone: string): Date | undefined {
  const asUtc = new Date(`${wallTime}Z`)
  if (!wallTimeForm.test(wallTime) || !isDay(asUtc, wallTime)) return undefined
  const before = offsetOf(later(asUtc, -days(1)), zone)
  const early = later(asUtc, -before)
  const after = offsetOf(early, zone)
  if (after === before) return early
  const late = later(asUtc, -after)
  return offsetOf(late, zone) === after ? late : early
}

/** RFC 3339 with an offset; the colon of the offset may be left out, as ISO 8601 allows. */
const momentForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** Whether the text names its offset from UTC, so that no zone has to be guessed. */
export const isWithOffset = (text: string): boolean => momentForm.test(text)

/** The moment of a text with an offset; undefined if its date or time does not exist. */
export function momentOf(text: string): Date | undefined {
  if (!isWithOffset(text)) return undefined
  const wallTime = text.slice(0, 16).toUpperCase()
  const moment = new Date(text)
  const exists = isDay(new Date(`${wallTime}Z`), wallTime)
  return exists && !Number.isNaN(moment.getTime()) ? moment : undefined
}

/** Whether the text is a day that exists: `2026-11-30`. */
export const isExistingDay = (text: string): boolean =>
  text.length === 10 && momentAt(`${text}T00:00`, 'UTC') !== undefined

/** JavaScript reads 31 February as a day in March; calendars show only years of four digits. */
function isDay(moment: Date, wallTime: string): boolean {
  const year = Number(wallTime.slice(0, 4))
  if (Number.isNaN(moment.getTime()) || year < 1000 || year === 9999) return false
  return moment.toISOString().slice(0, 10) === wallTime.slice(0, 10)
}

/** Milliseconds by which the zone is ahead of UTC at a moment. */
function offsetOf(moment: Date, zone: string): number {
  return Date.parse(`${shownAt(moment, zone)}Z`) - Math.floor(moment.getTime() / 1000) * 1000
}

/** The moment as clocks of the zone show it, with their offset: `2026-11-30T09:00:00+01:00`. */
export function withOffset(moment: Date, zone: string): string {
  const minutes = Math.round(offsetOf(moment, zone) / 60_000)
  const parts = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const [hour, minute] = parts.map((part) => String(part).padStart(2, '0'))
  return `${shownAt(moment, zone)}${minutes < 0 ? '-' : '+'}${hour}:${minute}`
}

/** The date that calendars of the zone show at a moment: `2026-11-30`. */
export function dayAt(moment: Date, zone: string): string {
  return shownAt(moment, zone).slice(0, 10)
}

/** The date and time of the zone at a moment: `2026-11-30T09:00:00`. */
function shownAt(moment: Date, zone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '00'
  return `${at('year')}-${at('month')}-${at('day')}T${at('hour')}:${at('minute')}:${at('second')}`
}
