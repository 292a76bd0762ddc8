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
      c.id as "contactId", case s.channel when 'sms' then c.phone else c.email end as address
    from suppressions s
    left join contacts c on c.business_id = s.business_id
      and ((s.channel = 'email' and c.email_mark = s.address_hmac)
        or (s.channel = 'sms' and c.phone_mark = s.address_hmac))
    where s.business_id = ${businessId} and s.reason <> 'erased'
      and (${mark}::bytea is null or s.address_hmac = ${mark})
      and (${before?.at ?? null}::timestamptz is null
        or (s.created_at, s.address_hmac) < (${before?.at ?? null}, ${before?.mark ?? null}::bytea))
    order by s.created_at desc, s.address_hmac desc limit ${limit}
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
