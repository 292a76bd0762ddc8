/**
 * Addresses that a business does not write to. They are known by an HMAC, so that what is
 * kept of a person who was erased tells nobody who it was, and still knows them again.
 */

import { createHash } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import type { Suppression, SuppressionReason } from './suppression.ts'
import { findSuppressions, insertSuppressions } from './suppression-queries.ts'

export interface NewSuppression {
  businessId: Id<'business'>
  channel: Channel
  /** Normalised. */
  address: string
  reason: SuppressionReason
  /** What reported it, in our own words. */
  source: string
  /** Since when, where that is not now. */
  at?: Date
}

/** An address as the list knows it: another business's list knows it by another mark. */
export function markOf(hmac: Hmac, businessId: Id<'business'>, address: string): Buffer {
  return hmac('suppression', `${businessId} ${address}`)
}

/** An address as the lists of other services know it. */
export function sha256Of(address: string): Buffer {
  return createHash('sha256').update(address).digest()
}

/** A complaint, and an unsubscription elsewhere, are about marketing: receipts and whatever else the person asked for still go. */
export function isMarketingOnly(reason: string): boolean {
  return reason === 'complaint' || reason === 'unsubscribed'
}

/**
 * Of several reasons the first stays, but that `erased` takes the place of every other, and
 * what stops all mail that of a complaint.
 */
export async function suppress(
  tx: Tx,
  hmac: Hmac,
  suppressions: NewSuppression[],
  now: Date,
): Promise<void> {
  if (suppressions.length === 0) return
  const rows = suppressions.map((one) => ({
    ...one,
    mark: markOf(hmac, one.businessId, one.address),
  }))
  await insertSuppressions(tx, rows, now)
}

/** What holds for a contact's addresses. */
export async function suppressionsOf(
  db: Db,
  hmac: Hmac,
  businessId: Id<'business'>,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<Suppression[]> {
  const mark = (address: string | null) =>
    address === null ? null : markOf(hmac, businessId, address)
  return findSuppressions(db, businessId, { email: mark(email), phone: mark(phone) })
}
