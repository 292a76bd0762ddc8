import { later, minutes } from '../../lib/time/clock.ts'

/** Above so many, a campaign sends a part first and waits. */
export const canaryFrom = 1_000

export interface Pace {
  perMinute: number | null
  /** Milliseconds for which the others wait for those who go first. */
  canaryWaitMs: number
}

/** When the last one goes at this throttle; null without a throttle. */
export function finishOf(
  recipients: number,
  { perMinute, canaryWaitMs }: Pace,
  from: Date,
): Date | null {
  if (perMinute === null) return null
  const wait = recipients > canaryFrom ? canaryWaitMs : 0
  return later(from, wait + Math.ceil((recipients / perMinute) * minutes(1)))
}
