/** What a campaign takes of the limit above which a person approves it. */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import {
  countPending,
  countRecipients,
  lockAllowance,
  lockPendingCount,
} from '../../usage/approval-limit.ts'
import type { Campaign } from '../model/campaign.ts'
import { updateUnapproved } from './transition-queries.ts'

type Holder = Pick<Campaign, 'id' | 'state' | 'sendAt' | 'unapproved'>
type Wanted = Pick<Campaign, 'id' | 'sendAt'> & { recipients: number }

/**
 * Takes room for all recipients and says whether there was enough. One that is scheduled holds
 * it at its hour, and one that goes out at once until each recipient is reached.
 */
export async function holdAllowance(
  tx: Tx,
  businessId: Id<'business'>,
  { id, sendAt, recipients }: Wanted,
  now: Date,
): Promise<boolean> {
  const at = sendAt && sendAt > now ? sendAt : now
  const wanted = { businessId, at, amount: recipients }
  const allowance = await lockAllowance(tx, [wanted])
  if (!allowance.take(wanted)) return false
  if (at > now) await countRecipients(tx, [wanted])
  else await countPending(tx, businessId, recipients)
  await updateUnapproved(tx, businessId, { id, unapproved: recipients })
  return true
}

/** It will not reach those that it has not reached yet. */
export async function releaseAllowance(
  tx: Tx,
  businessId: Id<'business'>,
  { id, state, sendAt, unapproved }: Holder,
): Promise<void> {
  if (unapproved === 0) return
  if (state === 'scheduled' && sendAt) {
    await lockPendingCount(tx, businessId)
    await countRecipients(tx, [{ businessId, at: sendAt, amount: -unapproved }])
  } else await countPending(tx, businessId, -unapproved)
  await updateUnapproved(tx, businessId, { id, unapproved: 0 })
}

/** So many of its recipients are reached at this moment; whoever calls it holds the count. */
export async function countSent(
  tx: Tx,
  businessId: Id<'business'>,
  { id, unapproved, sent }: Pick<Holder, 'id' | 'unapproved'> & { sent: number },
  now: Date,
): Promise<void> {
  if (sent === 0) return
  const held = Math.min(sent, unapproved)
  await countRecipients(tx, [{ businessId, at: now, amount: sent }])
  await countPending(tx, businessId, -held)
  if (held > 0) await updateUnapproved(tx, businessId, { id, unapproved: unapproved - held })
}

/** Exactly those who were written down are held; false where more came than there is room for. */
export async function holdFrozen(
  tx: Tx,
  businessId: Id<'business'>,
  { id, unapproved, recipients }: Pick<Holder, 'id' | 'unapproved'> & { recipients: number },
  now: Date,
): Promise<boolean> {
  const more = recipients - unapproved
  const wanted = { businessId, at: now, amount: Math.max(0, more) }
  const fits = more <= 0 || (await lockAllowance(tx, [wanted])).take(wanted)
  await countPending(tx, businessId, more)
  await updateUnapproved(tx, businessId, { id, unapproved: recipients })
  return fits
}
