/**
 * Suppressions: addresses that a business does not write to. They are stored as an HMAC, so that
 * the hash of an erased person's address reveals nobody, yet still recognises them.
 */

import { createHash } from 'node:crypto'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import type { Suppression, SuppressionReason } from './suppression.ts'
import { findSuppressions, insertSuppressions } from './suppression-queries.ts'

export interface NewSuppression {
  businessId: Id<'business'>
  channel: Channel
  /** The normalised address. */
  address: string
  reason: SuppressionReason
  /** What reported it, in the service's own words. */
  source: string
  /** When the suppression began, if that is not now. */
  at?: Date
}

/** Hashes an address for one business's suppressions; another business's hash of it differs. */
export function markOf(hmac: Hmac, businessId: Id<'business'>, address: string): Buffer {
  return hmac('suppression', `${businessId} ${address}`)
}

/** The hash of an address in the lists of other services. */
export function sha256Of(address: string): Buffer {
  return createHash('sha256').update(address).digest()
}

/**
 * Complaints and unsubscriptions concern marketing only: receipts and other messages that the
 * person requested are still sent.
 */
export function isMarketingOnly(reason: string): boolean {
  return reason === 'complaint' || reason === 'unsubscribed'
}

/**
 * Adds suppressions. The first reason stays, except that `erased` replaces every other reason, and
 * one that stops all mail replaces a complaint.
 */
export async function suppress(
  tx: Tx,
  hmac: Hmac,
  suppressions: NewSuppression[],
  now: Date,
): Promise<void> {
  if (suppressions.length === 0) return
  const rows = suppressions.map((suppression) => ({
    ...suppression,
    mark: markOf(hmac, suppression.businessId, suppression.address),
  }))
  await insertSuppressions(tx, rows, now)
}

/** The suppressions of a contact's addresses. */
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
