/**
 * Decides when one provider's share of a campaign has to wait: too many refusals of the sender, or
 * complaints. The rest of the campaign goes on. Pure.
 */
import { hours } from '../../lib/time/clock.ts'
import type { HoldCounters, HoldReason } from '../../messages/throttle/provider-hold.ts'

export const providerRules = {
  /** The share of what was tried, and the least number that is no chance. */
  refusals: { over: 0.02, atLeast: 5 },
  /** As for the whole campaign (`auto-pause.ts`). */
  complaints: { over: 0.003, atLeast: 2 },
} as const

/** The reason to hold, by the counters since `from`; undefined if there is none. */
export function holdReasonOf(now: HoldCounters, from: HoldCounters): HoldReason | undefined {
  const sent = now.sent - from.sent
  const refused = now.refusedByPolicy - from.refusedByPolicy
  const complained = now.complained - from.complained
  const { refusals, complaints } = providerRules
  if (refused >= refusals.atLeast && refused > (sent + refused) * refusals.over) return 'refusals'
  const isMuch = complained >= complaints.atLeast && complained > sent * complaints.over
  return isMuch ? 'complaints' : undefined
}

/** How long the first holds last, and each one after them. */
const lengths = [hours(1), hours(4), hours(12)]

/** @param times How often it was held before. */
export const holdFor = (times: number): number =>
  lengths[Math.min(times, lengths.length - 1)] ?? hours(12)
