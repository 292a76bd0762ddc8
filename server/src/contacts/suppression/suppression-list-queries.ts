/** The statements that show the list of suppressions, and take addresses off it. */

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
  /** Of the contact that has the address; the list itself knows no address. */
  contactId: Id<'contact'> | null
  address: string | null
}

export interface ListPage {
  /** Those of one address alone. */
  mark: Buffer | null
  before: { at: Date; mark: Buffer } | null
  limit: number
}

/** Newest first; erased people are left out, since nobody may know of them. */
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

/** An address that was also complained of stays on the list for that. */
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

/** What the person alone takes back stays: an erasure, and STOP. */
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

/** Failures before the lift count no more: the address starts anew. */
export function forgetFailures(tx: Tx, businessId: Id<'business'>, mark: Buffer): Promise<number> {
  return tx.run(sql`
    delete from soft_bounces where business_id = ${businessId} and address_hmac = ${mark}
  `)
}
