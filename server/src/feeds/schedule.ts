/** When the issues of a feed are due, by the clock of the business. */
import { refuse } from '../core/errors.ts'
import { momentAt, withOffset } from '../lib/time/wall-clock.ts'

export const everies = ['day', 'week', 'month'] as const

/** As it was written. */
export type WrittenSchedule = { [Key in keyof Schedule]: Schedule[Key] | undefined }

export interface Schedule {
  /** Such as `mon 08:00`. */
  times?: string[]
  every?: (typeof everies)[number]
  /** Such as `08:00`. Weeks begin on Monday, months on the first. */
  at?: string
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const timeForm = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** The most times of a week. */
export const mostTimes = 14

/** The next time of the schedule after a moment. */
export function nextTime(
  { times, every, at = '08:00' }: Schedule,
  after: Date,
  zone: string,
): Date {
  let day = withOffset(after, zone).slice(0, 10)
  // Two months hold every first day of a month.
  for (let tries = 0; tries < 63; tries++, day = dayAfter(day)) {
    for (const time of timesOf({ times, every, at }, day)) {
      const moment = momentAt(`${day}T${time}`, zone)
      if (moment && moment > after) return moment
    }
  }
  throw new Error('a schedule without a time was not refused when it was saved')
}

/** The times of one day, earliest first. */
function timesOf(
  { times, every, at }: { times: string[] | undefined; every: Schedule['every']; at: string },
  day: string,
): string[] {
  const weekday = weekdays[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7]
  if (times) {
    return times
      .filter((time) => time.startsWith(weekday ?? ''))
      .map((time) => time.slice(4))
      .toSorted()
  }
  if (every === 'week') return weekday === 'mon' ? [at] : []
  if (every === 'month') return day.endsWith('-01') ? [at] : []
  return [at]
}

const dayAfter = (day: string) =>
  new Date(Date.parse(`${day}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** Reads times or every, one of them; undefined where neither is written. */
export function readSchedule({ times, every, at }: WrittenSchedule): Schedule | undefined {
  if (times === undefined && every === undefined && at === undefined) return undefined
  if (times !== undefined && (every !== undefined || at !== undefined)) {
    throw no('times', 'and every exclude each other: give one of them.')
  }
  if (times === undefined) {
    if (every === undefined) throw no('every', 'is missing: day, week or month.')
    if (at !== undefined && !timeForm.test(at)) throw no('at', 'must be a time such as 08:00.')
    return { every, at: at ?? '08:00' }
  }
  if (times.length === 0) throw no('times', 'needs a time such as "mon 08:00".')
  const read = times.map((time, n) => {
    const [day = '', hour = ''] = time.toLowerCase().split(' ')
    if (!weekdays.includes(day) || !timeForm.test(hour) || time.length !== 9) {
      throw no(`times[${n}]`, 'must be a day of the week and a time, such as "mon 08:00".')
    }
    return `${day} ${hour}`
  })
  return { times: [...new Set(read)] }
}

const no = (field: string, rule: string) =>
  refuse('invalid_request', `${field} ${rule}`, { field, data: { reason: 'wrong_form' } })
