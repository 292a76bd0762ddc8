/** When a domain is checked next: soon at first, then less and less often. */
import { days, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import type { Domain } from './domain.ts'

/** Minutes after the start at which most people have just published their records. */
const first = [1, 2, 5, 15].map(minutes)
const hourlyUntil = hours(72)

/** The delay of the second check after a first success, and the minimum between two successes. */
export const confirmAfter = minutes(1)
export const leastBetweenPasses = seconds(30)
/** How often a verified domain with missing records is checked, whatever its age. */
const missedEvery = hours(12)

/** The first time of the schedule after `now`. */
export function nextOnSchedule(start: Date, now: Date): Date {
  const age = now.getTime() - start.getTime()
  const soon = first.find((offset) => offset > age)
  if (soon !== undefined) return later(start, soon)
  const step = age < hourlyUntil ? hours(1) : days(1)
  return later(start, (Math.floor(age / step) + 1) * step)
}

type Checked = Pick<Domain, 'createdAt' | 'status' | 'passes' | 'misses' | 'heldElsewhere' | 'keys'>

/** The earliest time at which any reason requires a check. */
export function nextCheck(domain: Checked, now: Date): Date {
  const reasons = [nextOnSchedule(domain.createdAt, now)]
  const isVerified = domain.status === 'verified'
  if (!isVerified && domain.passes === 1) reasons.push(later(now, confirmAfter))
  if (isVerified && domain.misses > 0) reasons.push(later(now, missedEvery))
  for (const key of domain.keys) {
    if (key.state === 'coming' && key.seenAt) reasons.push(later(key.seenAt, key.ttlSeconds * 2000))
    else if (key.state === 'coming') reasons.push(nextOnSchedule(key.createdAt, now))
    if (key.state === 'leaving' && key.leavesAt) reasons.push(key.leavesAt)
  }
  const ahead = reasons.map((moment) => moment.getTime()).filter((time) => time > now.getTime())
  return new Date(Math.min(...ahead))
}
