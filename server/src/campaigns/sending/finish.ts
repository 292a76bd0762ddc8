import { later, minutes } from '../../lib/time/clock.ts'

/** The number of recipients above which a campaign starts with a canary. */
export const canaryFrom = 1_000

export interface SendingPace {
  perMinute: number | null
  /** Milliseconds for which the rest wait for the canary. */
  canaryWaitMs: number
}

/** When the last message is sent at this throttle; null without a throttle. */
export function finishOf(
  recipients: number,
  { perMinute, canaryWaitMs }: SendingPace,
  from: Date,
): Date | null {
  if (perMinute === null) return null
  const wait = recipients > canaryFrom ? canaryWaitMs : 0
  return later(from, wait + Math.ceil((recipients / perMinute) * minutes(1)))
}
