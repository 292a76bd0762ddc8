/** When to retry a deferred message, and a chunk that could not be sent. */
import { hours, later, minutes, seconds } from '../lib/time/clock.ts'
import { triedFor } from './message.ts'

const delays = [
  seconds(30),
  minutes(2),
  minutes(10),
  minutes(30),
  hours(1),
  hours(2),
  // RFC 5321 section 4.5.4.1 requires at least half an hour, after the first tries.
  hours(4),
]

/**
 * The time of the next try after `attempts` tries. Undefined if the message has been tried for long
 * enough. The delay varies by a tenth, so that messages that failed together are not all retried
 * together.
 */
export function nextTry(
  { attempts, queuedAt }: { attempts: number; queuedAt: Date },
  now: Date,
  random: () => number = Math.random,
): Date | undefined {
  if (now >= later(queuedAt, triedFor)) return undefined
  const delay = delays[Math.min(attempts, delays.length) - 1] ?? delays[0] ?? 0
  const at = now.getTime() + delay * (1 + random() / 10)
  // Rounded to steps, so that messages deferred together share a job.
  const step = delay / 20
  return new Date(Math.ceil(at / step) * step)
}

/**
 * Delays while no connection can be opened. The first are short, because a relay restarts within
 * seconds.
 */
export const unreachableDelays: readonly number[] = [
  seconds(2),
  seconds(5),
  seconds(15),
  seconds(60),
  minutes(2),
]

/** Failures of this service are retried for as long as a message is. */
export const chunkRetries: readonly number[] = [
  ...unreachableDelays,
  minutes(10),
  ...Array.from({ length: triedFor / hours(1) }, () => hours(1)),
]
