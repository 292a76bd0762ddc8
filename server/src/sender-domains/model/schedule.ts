/** When a domain is looked at next: soon at first, then ever less. */
import { days, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import type { Domain } from './domain.ts'

/** Minutes after the start at which most people have just set their records. */
const first = [1, 2, 5, 15].map(minutes)
const hourlyUntil = hours(72)

/** After a first pass, when the second one is looked for; also the least between two passes. */
export const confirmAfter = minutes(1)
export const leastBetweenPasses = seconds(30)
/** A verified domain that is missed is looked at so often, whatever its age. */
const missedEvery = hours(12)

/** The first moment of the schedule that lies behind `now`. */
export function nextOnSchedule(start: Date, now: Date): Date {
  const age = now.getTime() - start.getTime()
  const soon = first.find((offset) => offset > age)
  if (soon !== undefined) return later(start, soon)
  const step = age < hourlyUntil ? hours(1) : days(1)
  return later(start, (Math.floor(age / step) + 1) * step)
}

type Checked = Pick<Domain, 'createdAt' | 'status' | 'passes' | 'misses' | 'heldElsewhere' | 'keys'>

/** The earliest of all reasons to look. */
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
