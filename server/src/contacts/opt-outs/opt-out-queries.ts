/** Statements that read every opt-out of the installation, and find contacts by address hash. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Channel, ConsentSubject } from '../contact.ts'
import type { SuppressionReason } from '../suppressions/suppression.ts'

/** A suppressed address, which is known only by a hash. */
export type SuppressedAddress = {
  businessId: Id<'business'>
  mark: Buffer
  /** Whether there was a complaint too, which remains when the reason is lifted. */
  isComplaint: boolean
  at: Date
} & (
  | { channel: Channel; reason: SuppressionReason }
  /** A suppression that was judged again, and lifted. */
  | { channel: 'email'; reason: 'lifted' }
  /** The hash is the SHA-256 of an imported list, which does not name the channel. */
  | { channel: null; reason: Exclude<SuppressionReason, 'erased' | 'stop'> }
)

/**
 * Selects by the time of writing, since the date that an imported list names may be years ago. A hash
 * whose address became known since is suppressed by that address.
 */
export function suppressedSince(db: Db, since: Date): Promise<SuppressedAddress[]> {
  return db.all(sql`
    select business_id as "businessId", channel, address_hmac as mark, reason,
      complained_at is not null as "isComplaint", coalesce(written_at, created_at) as at
    from suppressions where coalesce(written_at, created_at) >= ${since}
    union all
    select business_id, null, sha256, reason, false, coalesce(written_at, created_at)
    from suppressed_hashes
    where coalesce(written_at, created_at) >= ${since} and address_hmac is null
    union all
    select business_id, 'email', address_hmac, 'lifted', false, reviewed_at
    from bounce_reviews where outcome = 'lifted' and reviewed_at >= ${since}
    order by at
  `)
}

export interface UnsubscribedContact {
  businessId: Id<'business'>
  channel: ConsentSubject
  /** The topic; null for the whole channel. */
  topic: string | null
  emailMark: Buffer | null
  phoneMark: Buffer | null
  /** The addresses whose hash is not stored; contacts from before hashes were stored have them. */
  unmarkedEmail: string | null
  unmarkedPhone: string | null
  at: Date
}

export function unsubscribedSince(db: Db, since: Date): Promise<UnsubscribedContact[]> {
  return db.all(sql`
    select e.business_id as "businessId", e.channel, e.topic,
      c.email_mark as "emailMark", c.phone_mark as "phoneMark",
      case when c.email_mark is null then c.email end as "unmarkedEmail",
      case when c.phone_mark is null then c.phone end as "unmarkedPhone", e.created_at as at
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
