/**
 * Holds a provider's share of a campaign: in the tick, by the counters of each provider. After a
 * hold the share goes on by itself, and is judged by what came since.
 */

import { formatId } from '../../core/ids.ts'
import type { NewEvent } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { hours, later } from '../../lib/time/clock.ts'
import {
  countAllFrom,
  countFrom,
  type HoldCounters,
  type HoldReason,
  holdShare,
  holdsOf,
  type ProviderHold,
} from '../../messages/throttle/provider-holds.ts'
import type { RunKey, RunningCampaign } from '../campaign-run.ts'
import { listProviders, providerLimits } from './counts.ts'

interface HeldShare {
  provider: string
  reason: HoldReason
  until: Date
  sent: number
  refusedByPolicy: number
  complained: number
}

/** Returns the providers that this tick holds. */
export async function holdProviders(tx: Tx, key: RunKey, now: Date): Promise<HeldShare[]> {
  const [counted, holds] = await Promise.all([
    listProviders(tx, key, providerLimits.providers + 1),
    holdsOf(tx, key),
  ])
  const byProvider = new Map(holds.map((hold) => [hold.provider, hold]))
  const heldShares: HeldShare[] = []
  for (const { provider, sent, refusedByPolicy, complained } of counted) {
    // The empty name stands for many providers.
    if (provider === '') continue
    const counters = { sent, refusedByPolicy, complained }
    const hold = byProvider.get(provider)
    if (hold && !isJudgedAnew(hold, now)) {
      if (hold.heldUntil <= now) await countFrom(tx, key, { provider, ...counters })
      continue
    }
    const reason = holdReasonOf(counters, hold?.base ?? fromTheStart)
    if (!reason) continue
    const times = hold?.times ?? 0
    const share = { provider, reason, until: later(now, holdFor(times)), ...counters }
    await holdShare(tx, key, { ...share, times: times + 1 }, now)
    heldShares.push(share)
  }
  return heldShares
}

/** A person who resumes a campaign has seen what came so far: later holds count from here. */
export async function judgeFromNow(tx: Tx, key: RunKey, now: Date): Promise<void> {
  const counted = await listProviders(tx, key, providerLimits.providers + 1)
  const ofProviders = counted.filter(({ provider }) => provider !== '')
  await countAllFrom(tx, key, ofProviders, now)
}

const fromTheStart = { sent: 0, refusedByPolicy: 0, complained: 0 }

const isJudgedAnew = ({ heldUntil, isRebased }: ProviderHold, now: Date) =>
  heldUntil <= now && isRebased

const providerRules = {
  /** The share of what was tried, and the least number that is no chance. */
  refusals: { over: 0.02, atLeast: 5 },
  /** As for the whole campaign (`campaigns/sending/auto-pause.ts`). */
  complaints: { over: 0.003, atLeast: 2 },
} as const

/**
 * Decides when one provider's share of a campaign has to wait: too many refusals of the sender, or
 * complaints. The rest of the campaign goes on. Pure.
 *
 * The reason to hold, by the counters since `from`; undefined if there is none.
 */
function holdReasonOf(now: HoldCounters, from: HoldCounters): HoldReason | undefined {
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
const holdFor = (times: number): number => lengths[Math.min(times, lengths.length - 1)] ?? hours(12)

/** Tells that one provider's share of the campaign waits. */
export function heldEvent(
  { businessId, campaignId }: RunKey,
  { name, channel }: RunningCampaign,
  { provider, reason, until, sent, refusedByPolicy, complained }: HeldShare,
): NewEvent {
  const data = {
    campaign_id: formatId('campaign', campaignId),
    name,
    channel,
    provider,
    reason,
    held_until: until.toISOString(),
    sent,
    refused: refusedByPolicy,
    complained,
  }
  return { businessId, type: 'campaign.provider_held', data }
}
