/**
 * An erased person returns only by their own confirmed act: pressing the button of a mail to their
 * address, or sending a text from their number. Only then is the hash lifted that excludes them. An
 * address that somebody else types into a form is never confirmed, and lifts nothing.
 */

import { tierOf } from '../../accounts/businesses/deploy-settings.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac, Origin } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel, ContactToSave } from '../contact.ts'
import { findEmails } from '../people-on-file.ts'
import { saveContacts } from '../save.ts'
import {
  deleteSuppressions,
  findErased,
  liftedByConfirming,
  markOf,
  suppress,
  suppressionsOf,
} from '../suppressions/suppression.ts'

interface Returning {
  businessId: Id<'business'>
  channel: Channel
  /** The normalised address. */
  address: string
  /** The call that requested the return; undefined for a text. */
  origin?: Origin
}

/**
 * Lifts the erasure of this address and creates the contact, without consent yet. If the business
 * has no room for another contact, the hash stays and the refusal says so.
 */
export async function returnErased(
  tx: Tx,
  hmac: Hmac,
  { businessId, channel, address, origin }: Returning,
  now: Date,
): Promise<Id<'contact'> | Refusal> {
  const tier = await tierOf(tx, businessId)
  if (!tier) return refuse('not_found', 'There is no such business.')
  const mark = markOf(hmac, businessId, address)
  const lifted = await deleteSuppressions(tx, businessId, { channel, mark, reasons: ['erased'] })
  const person: ContactToSave = {
    businessId,
    tier,
    hmac,
    source: 'form',
    origin: origin ?? { connectionId: null, callId: formatId('request', newId('request')) },
    ...(channel === 'email' ? { email: address } : { phone: address }),
  }
  const [saved] = await saveContacts.save(tx, [person], now)
  if (!saved || isRefusal(saved)) {
    const erased = {
      businessId,
      channel,
      address,
      reason: 'erased',
      source: 'contact.erase',
    } as const
    if (lifted > 0) await suppress(tx, hmac, [erased], now)
    return (
      saved ??
      refuse('conflict', 'The contact could not be saved.', { data: { reason: 'not_saved' } })
    )
  }
  await markReturned(tx, businessId, saved.id, now)
  const subject = formatId('contact', saved.id)
  const details = { channel }
  await recordAudit(tx, [{ businessId, action: 'contact.return', subject, details }], now)
  return saved.id
}

/** Whether somebody with this address was erased. */
export async function isErased(
  tx: Tx,
  hmac: Hmac,
  { businessId, channel, address }: Returning,
): Promise<boolean> {
  const erasures = await findErased(tx, [
    { businessId, channel, mark: markOf(hmac, businessId, address) },
  ])
  return erasures.length > 0
}

/**
 * Whether the person with this email address was erased, left email, or is suppressed for a reason
 * that confirming by mail lifts, including one from an imported list.
 */
export async function mayTakeBack(
  tx: Tx,
  hmac: Hmac,
  { businessId, email }: { businessId: Id<'business'>; email: string },
): Promise<boolean> {
  const [contact] = await findEmails(tx, businessId, [email])
  if (contact?.email === 'unsubscribed') return true
  const suppressions = await suppressionsOf(tx, hmac, businessId, { email, phone: null })
  return suppressions.some(
    ({ reason }) => reason === 'erased' || liftedByConfirming.includes(reason),
  )
}

/** Notes that the person came back after an erasure, at the latest of these moments. */
export function markReturned(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'contact'>,
  at: Date,
): Promise<number> {
  return tx.run(sql`
    update contacts set returned_at = greatest(returned_at, ${at}::timestamptz)
    where business_id = ${businessId} and id = ${id}
  `)
}
