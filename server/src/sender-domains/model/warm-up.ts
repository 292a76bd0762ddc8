/** The warm-up of a domain. The part that sends mail provides it (`messages/relays/warm-up.ts`). */

import type { Id } from '../../core/ids.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'

export interface WarmUpLine {
  provider: string
  /** The most marketing of today (UTC); null where it has no limit any more. */
  today: number | null
  sentToday: number
  /** For how many days, today included, there is a limit. */
  daysLeft: number
  held?: { by: 'refusals' | 'allowance'; until: Date }
}

export interface WarmUp {
  /** The most on each day, from the first that a provider gets mail from the domain. */
  days: readonly number[]
  providers: WarmUpLine[]
  /** What a provider may get that has its first mail from the domain today. */
  newProvider: Pick<WarmUpLine, 'today' | 'daysLeft'>
}

/** Undefined if the relay of the business's marketing does not warm up. */
export type WarmUpOf = (businessId: Id<'business'>, domain: string) => Promise<WarmUp | undefined>

/** A provider that found something missing at the domain. */
export interface RefusingProvider {
  provider: string
  kind: 'transactional' | 'marketing'
  missing: readonly SenderRequirement[]
  at: Date
  /** Until when mail of this kind to it waits. */
  heldUntil: Date | undefined
}

export type RefusingProvidersOf = (domain: string) => Promise<RefusingProvider[]>
