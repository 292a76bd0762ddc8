/**
 * What a campaign that does not progress is waiting for, so that a person who watches it need not
 * guess.
 */
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { warmUpOf } from '../../messages/holds.ts'
import { holdsOf } from '../../messages/throttle/provider-holds.ts'
import { findTest } from '../ab-test/variant-test.ts'
import type { Campaign } from '../campaign.ts'
import { findRun } from '../campaign-run.ts'
import { nextHour } from './run.ts'

export const waitingFor = [
  'approval',
  'send_at',
  'first_recipients',
  'local_hours',
  'gap',
  'ab_test',
  'provider',
  'warm_up',
] as const

export interface Waiting {
  for: (typeof waitingFor)[number]
  /** Null if it is unknown: it depends on people, or on the canary. */
  until: Date | null
}

export async function waitingOf(
  db: Db,
  businessId: Id<'business'>,
  campaign: Pick<Campaign, 'id' | 'channel' | 'state' | 'pauseReason' | 'sendAt' | 'frozenAt'>,
  now: Date,
): Promise<Waiting | undefined> {
  const { state, pauseReason, sendAt, channel, id: campaignId } = campaign
  const needsApproval =
    state === 'awaiting_approval' || (state === 'paused' && pauseReason === 'approval')
  if (needsApproval) return { for: 'approval', until: null }
  if (state === 'scheduled') return { for: 'send_at', until: sendAt }
  if (state !== 'deployed') return undefined
  const run = await findRun(db, { businessId, campaignId })
  if (!run) return undefined
  const { canary, dispatched, canaryUntil } = run
  if (canary > 0 && dispatched >= canary && dispatched < run.recipients) {
    if (canaryUntil === null || canaryUntil > now)
      return { for: 'first_recipients', until: canaryUntil }
  }
  const test = await findTest(db, { businessId, campaignId })
  if (test && test.releasedAt === null && test.sample < 100) {
    const { frozenAt } = campaign
    const until = frozenAt && later(frozenAt, minutes(test.afterMinutes))
    return { for: 'ab_test', until: until && until > now ? until : null }
  }
  const hour = await nextHour(db, { businessId, campaignId })
  if (hour && hour.at > now) {
    return { for: hour.reason === 'gap' ? 'gap' : 'local_hours', until: hour.at }
  }
  const holds = (await holdsOf(db, { businessId, campaignId }))
    .map(({ heldUntil }) => heldUntil)
    .filter((until) => until > now)
    .toSorted((a, b) => a.getTime() - b.getTime())
  if (holds[0]) return { for: 'provider', until: holds[0] }
  const nextDay = await warmUpOf(db, { businessId, campaignId, channel }, now)
  return nextDay && { for: 'warm_up', until: nextDay }
}
