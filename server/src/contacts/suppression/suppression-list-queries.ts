/** Statements that list suppressions and lift them. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import type { SuppressionReason } from './suppression.ts'

export interface ListedSuppression {
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  createdAt: Date
  /** The contact with the address; the suppression itself holds only a hash. */
  contactId: Id<'contact'> | null
  address: string | null
}

export interface ListPage {
  /** Lists only the suppression of this address. */
  mark: Buffer | null
  before: { at: Date; mark: Buffer } | null
  limit: number
}

/** Lists suppressions, newest first, without erased people, since nobody may learn of them. */
export function listSuppressions(
  db: Db,
  businessId: Id<'business'>,
  { mark, before, limit }: ListPage,
): Promise<ListedSuppression[]> {
  return db.all(sql`
    select s.channel, s.address_hmac as mark, s.reason, s.source, s.created_at as "createdAt",
      c.id as "contactId", c.address
    from (
      select * from suppressions
      where business_id = ${businessId} and reason <> 'erased'
        and (${mark}::bytea is null or address_hmac = ${mark})
        and (${before?.at ?? null}::timestamptz is null
          or (created_at, address_hmac) < (${before?.at ?? null}, ${before?.mark ?? null}::bytea))
      order by created_at desc, address_hmac desc limit ${limit}
    ) s
    -- Each channel by its own index: a condition on both read the whole audience for each row.
    left join lateral (
      select id, email as address from contacts
      where business_id = ${businessId} and s.channel = 'email' and email_mark = s.address_hmac
      union all
      select id, phone from contacts
      where business_id = ${businessId} and s.channel = 'sms' and phone_mark = s.address_hmac
      limit 1
    ) c on true
    order by s.created_at desc, s.address_hmac desc
  `)
}

/**
 * Keeps the suppression of an address that was also complained about, with the complaint as its
 * reason.
 */
export function keepComplaint(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ channel: Channel; complainedAt: Date } | undefined> {
  return tx.maybe(sql`
    update suppressions
    set reason = 'complaint', source = 'complaint', created_at = complained_at
    where business_id = ${businessId} and address_hmac = ${mark} and complained_at is not null
      and reason in ('bounce', 'manual')
    returning channel, complained_at as "complainedAt"
  `)
}

/** Lifts a suppression, except an erasure or STOP, which only the person can undo. */
export function liftSuppression(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ channel: Channel; reason: SuppressionReason } | undefined> {
  return tx.maybe(sql`
    delete from suppressions
    where business_id = ${businessId} and address_hmac = ${mark}
      and reason not in ('erased', 'stop')
    returning channel, reason
  `)
}

export function findReason(
  db: Db,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ reason: SuppressionReason } | undefined> {
  return db.maybe(sql`
    select reason from suppressions where business_id = ${businessId} and address_hmac = ${mark}
    limit 1
  `)
}

/** Deletes the failures before the lift, so that the address starts afresh. */
export function forgetFailures(tx: Tx, businessId: Id<'business'>, mark: Buffer): Promise<number> {
  return tx.run(sql`
    delete from soft_bounces where business_id = ${businessId} and address_hmac = ${mark}
  `)
}
