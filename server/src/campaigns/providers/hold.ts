/**
 * Holds a provider's share of a campaign: in the tick, by the counters of each provider. After a
 * hold the share goes on by itself, and is judged by what came since.
 */

import type { Tx } from '../../lib/db/types.ts'
import { later } from '../../lib/time/clock.ts'
import type { HoldReason, ProviderHold } from '../../messages/throttle/provider-hold.ts'
import {
  countAllFrom,
  countFrom,
  holdShare,
  holdsOf,
} from '../../messages/throttle/provider-holds.ts'
import type { RunKey } from '../model/run-queries.ts'
import { providerLimits } from './counts.ts'
import { listProviders } from './queries.ts'
import { holdFor, holdReasonOf } from './rule.ts'

export interface HeldShare {
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
  const held: HeldShare[] = []
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
    held.push(share)
  }
  return held
}

/** A person who resumes a campaign has seen what came so far: later holds count from here. */
export async function judgeFromNow(tx: Tx, key: RunKey, now: Date): Promise<void> {
  const counted = await listProviders(tx, key, providerLimits.providers + 1)
  const named = counted.filter(({ provider }) => provider !== '')
  await countAllFrom(tx, key, named, now)
}

const fromTheStart = { sent: 0, refusedByPolicy: 0, complained: 0 }

const isJudgedAnew = ({ heldUntil, isRebased }: ProviderHold, now: Date) =>
  heldUntil <= now && isRebased
