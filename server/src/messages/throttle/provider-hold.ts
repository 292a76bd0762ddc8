/** A provider to which a campaign's messages wait. */

import type { Id } from '../../core/ids.ts'

/** The campaign of which a provider holds its share. */
export interface ShareOf {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

export const holdReasons = ['refusals', 'complaints'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Counters of a campaign's messages at one provider, from which holds are decided. */
export interface HoldCounters {
  sent: number
  refusedByPolicy: number
  complained: number
}

export interface ProviderHold extends HoldCounters {
  provider: string
  reason: HoldReason
  /** How often this campaign was held at this provider. */
  times: number
  heldAt: Date
  heldUntil: Date
  /** Whether the next judgement's counters were set after this hold. */
  isRebased: boolean
  base: HoldCounters
}

export interface NewHold extends HoldCounters {
  provider: string
  reason: HoldReason
  times: number
  until: Date
}
