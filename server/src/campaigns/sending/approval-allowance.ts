/**
 * The recipients that a campaign uses of the limit above which a person must approve it, and whether an
 * approval covers its recipients.
 */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import {
  countPending,
  countRecipients,
  lockAllowance,
  lockPendingCount,
} from '../../usage/approval-limit.ts'
import type { Campaign } from '../campaign.ts'

type Holder = Pick<Campaign, 'id' | 'state' | 'sendAt' | 'unapproved'>
type CampaignToAllow = Pick<Campaign, 'id' | 'sendAt'> & { recipients: number }

/**
 * Reserves room for all recipients; returns whether there was enough. A scheduled campaign
 * reserves it at its hour; one that is sent at once, until each recipient was sent to.
 */
export async function holdAllowance(
  tx: Tx,
  businessId: Id<'business'>,
  { id, sendAt, recipients }: CampaignToAllow,
  now: Date,
): Promise<boolean> {
  const at = sendAt && sendAt > now ? sendAt : now
  const demand = { businessId, at, amount: recipients }
  const allowance = await lockAllowance(tx, [demand])
  if (!allowance.take(demand)) return false
  if (at > now) await countRecipients(tx, [demand])
  else await countPending(tx, businessId, recipients)
  await updateUnapproved(tx, businessId, { id, unapproved: recipients })
  return true
}

/** Sets how much of the approval limit it reserves from now on. */
function updateUnapproved(
  tx: Tx,
  businessId: Id<'business'>,
  { id, unapproved }: { id: Id<'campaign'>; unapproved: number },
): Promise<number> {
  return tx.run(sql`
    update campaigns set unapproved = ${unapproved}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** Releases the room of recipients who were not sent to and will not be. */
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

/** Counts recipients who are sent to at this moment; the caller has locked the count. */
export async function countSent(
  tx: Tx,
  businessId: Id<'business'>,
  { id, unapproved, sent }: Pick<Holder, 'id' | 'unapproved'> & { sent: number },
  now: Date,
): Promise<void> {
  if (sent === 0) return
  const pending = Math.min(sent, unapproved)
  await countRecipients(tx, [{ businessId, at: now, amount: sent }])
  await countPending(tx, businessId, -pending)
  if (pending > 0) await updateUnapproved(tx, businessId, { id, unapproved: unapproved - pending })
}

/**
 * Adjusts the reservation to the recipients that were frozen; returns false where they are more
 * than there is room for.
 */
export async function holdFrozen(
  tx: Tx,
  businessId: Id<'business'>,
  { id, unapproved, recipients }: Pick<Holder, 'id' | 'unapproved'> & { recipients: number },
  now: Date,
): Promise<boolean> {
  const more = recipients - unapproved
  const demand = { businessId, at: now, amount: Math.max(0, more) }
  const fits = more <= 0 || (await lockAllowance(tx, [demand])).take(demand)
  await countPending(tx, businessId, more)
  await updateUnapproved(tx, businessId, { id, unapproved: recipients })
  return fits
}

/** People who may change while a campaign waits for its hour: a tenth, and in any case nine. */
export const toleratedOf = (approved: number): number => Math.max(9, approved * 0.1)

/**
 * Whether an approval covers so many recipients: the person saw a number, and said yes to that. Who
 * orders a campaign in the app decides about it as it is at its hour, and has no such number.
 */
export const isCovered = (recipients: number, approved: number | null): boolean =>
  approved === null || recipients - approved <= toleratedOf(approved)
