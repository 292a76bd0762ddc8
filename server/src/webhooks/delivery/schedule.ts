/** When to retry a failed delivery (contract 10.5), to the millisecond. */
import { hours, later, minutes, seconds } from '../../lib/time/clock.ts'

/** From the end of one failed attempt to the start of the next. */
export const retryDelays: readonly number[] = [
  seconds(30),
  minutes(5),
  minutes(30),
  hours(2),
  hours(6),
  hours(12),
]

export const maxAttempts = retryDelays.length + 1

/** The time from the first attempt to the last, if each fails at once. */
export const retryingMs: number = retryDelays.reduce((sum, delay) => sum + delay, 0)

/** Undefined after the last attempt. There is no jitter, and Retry-After is ignored. */
export function nextAttemptAt(attempt: number, endedAt: Date): Date | undefined {
  const delay = retryDelays[attempt - 1]
  return delay === undefined ? undefined : later(endedAt, delay)
}
