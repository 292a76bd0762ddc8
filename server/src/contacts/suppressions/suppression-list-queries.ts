/** Statements that list suppressions and lift them. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import type { SuppressionReason } from './suppression.ts'

export interface ListedSuppression {
  /** Null if only the hash of an address or number was given. */
  channel: Channel | null
  /** The address hash, or the SHA-256 that was given in place of an address. */
  mark: Buffer
  isHashed: boolean
  reason: SuppressionReason
  source: string
  createdAt: Date
  /** The contact with the address; the suppression itself holds only a hash. */
  contactId: Id<'contact'> | null
  address: string | null
  /** An earlier rule made it, and what the server said is gone. */
  isNotJudgeable: boolean
}

export interface ListPage {
  /** Lists only the suppression of this address, by either of its hashes. */
  one: { mark: Buffer; sha256: Buffer } | null
  before: { at: Date; mark: Buffer } | null
  /** Only those that an earlier rule made and that could not be judged again. */
  notJudgeable?: boolean
  limit: number
}

/**
 * Lists suppressions, newest first, without erased people, since nobody may learn of them. A hash
 * whose address has become known is listed by that address alone.
 */
export function listSuppressions(
  db: Db,
  businessId: Id<'business'>,
  { one, before, notJudgeable = false, limit }: ListPage,
): Promise<ListedSuppression[]> {
  const [at, last] = [before?.at ?? null, before?.mark ?? null]
  return db.all(sql`
    select s.channel, s.mark, s.is_hashed as "isHashed", s.reason, s.source,
      s.created_at as "createdAt", c.id as "contactId", c.address,
      exists (
        select from bounce_reviews r
        where r.business_id = ${businessId} and r.address_hmac = s.mark
          and r.suppressed_at = s.created_at and r.outcome = 'not_judgeable'
      ) as "isNotJudgeable"
    from (
      (select channel, address_hmac as mark, false as is_hashed, reason, source, created_at
      from suppressions
      where business_id = ${businessId} and reason <> 'erased'
        and (${one?.mark ?? null}::bytea is null or address_hmac = ${one?.mark ?? null})
        and (${at}::timestamptz is null or (created_at, address_hmac) < (${at}, ${last}::bytea))
        and (not ${notJudgeable}::boolean or (reason = 'bounce' and exists (
          select from bounce_reviews r
          where r.business_id = ${businessId} and r.address_hmac = suppressions.address_hmac
            and r.suppressed_at = suppressions.created_at and r.outcome = 'not_judgeable'
        )))
      order by created_at desc, address_hmac desc limit ${limit})
      union all
      (select null, sha256, true, reason, 'suppression.import', created_at
      from suppressed_hashes
      where business_id = ${businessId} and address_hmac is null and not ${notJudgeable}::boolean
        and (${one?.sha256 ?? null}::bytea is null or sha256 = ${one?.sha256 ?? null})
        and (${at}::timestamptz is null or (created_at, sha256) < (${at}, ${last}::bytea))
      order by created_at desc, sha256 desc limit ${limit})
      order by created_at desc, mark desc limit ${limit}
    ) s
    -- Each channel by its own index: a condition on both read the whole audience for each row.
    left join lateral (
      select id, email as address from contacts
      where business_id = ${businessId} and s.channel = 'email' and email_mark = s.mark
      union all
      select id, phone from contacts
      where business_id = ${businessId} and s.channel = 'sms' and phone_mark = s.mark
      limit 1
    ) c on true
    order by s.created_at desc, s.mark desc
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
  now: Date,
): Promise<{ channel: Channel; complainedAt: Date } | undefined> {
  return tx.maybe(sql`
    update suppressions
    set reason = 'complaint', source = 'complaint', created_at = complained_at,
      written_at = ${now}
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
