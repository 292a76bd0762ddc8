/** Statements that read every opt-out of the installation, and find contacts by address hash. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import type { SuppressionReason } from '../suppression/suppression.ts'

/** A suppressed address, which is known only by its hash. */
export interface SuppressedAddress {
  businessId: Id<'business'>
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  at: Date
}

export function suppressedSince(db: Db, since: Date): Promise<SuppressedAddress[]> {
  return db.all(sql`
    select business_id as "businessId", channel, address_hmac as mark, reason, created_at as at
    from suppressions where created_at >= ${since} order by created_at
  `)
}

export interface UnsubscribedContact {
  businessId: Id<'business'>
  channel: Channel
  /** The topic; null for the whole channel. */
  topic: string | null
  /** The address hash; null for a contact from before hashes were stored. */
  emailMark: Buffer | null
  phoneMark: Buffer | null
  contactId: Id<'contact'>
  at: Date
}

export function unsubscribedSince(db: Db, since: Date): Promise<UnsubscribedContact[]> {
  return db.all(sql`
    select e.business_id as "businessId", e.channel, e.topic, e.contact_id as "contactId",
      c.email_mark as "emailMark", c.phone_mark as "phoneMark", e.created_at as at
    from consent_events e
    join contacts c on c.business_id = e.business_id and c.id = e.contact_id
    where e.action = 'unsubscribed' and e.created_at >= ${since}
    order by e.created_at
  `)
}

export function stoppedSince(db: Db, since: Date): Promise<{ mark: Buffer; at: Date }[]> {
  return db.all(sql`
    select mark, created_at as at from stopped_numbers
    where created_at >= ${since} order by created_at
  `)
}

/** Finds the contacts with one address, by its hash. */
export function findByMark(
  db: Db,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ id: Id<'contact'> }[]> {
  return db.all(sql`
    select id from contacts where business_id = ${businessId} and email_mark = ${mark}
    union
    select id from contacts where business_id = ${businessId} and phone_mark = ${mark}
  `)
}
