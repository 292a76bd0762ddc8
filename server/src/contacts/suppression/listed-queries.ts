/** Statements for lists of suppressions that are imported, undone and exported. */

import type { Id } from '../../core/ids.ts'
import { byteStrings, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import type { HashedSuppression } from './hashed-queries.ts'
import type { SuppressionReason } from './suppression.ts'

export interface Listed {
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  at: Date
}

/** The suppressions of these addresses, which nobody else changes meanwhile. */
export function lockListed(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly { channel: Channel; mark: Buffer }[],
): Promise<Listed[]> {
  return tx.all(sql`
    select s.channel, s.address_hmac as mark, s.reason, s.source, s.created_at as at
    from suppressions s
    where s.business_id = ${businessId} and (s.channel, s.address_hmac) in (
      select channel, mark from unnest(
        ${texts(marks.map((one) => one.channel))}::text[],
        ${byteStrings(marks.map((one) => one.mark))}::bytea[]
      ) as asked (channel, mark)
    )
    order by s.channel, s.address_hmac
    for no key update
  `)
}

/** Deletes suppressions that an import made, where nothing has been said of them since. */
export function deleteImported(
  tx: Tx,
  businessId: Id<'business'>,
  { marks, sources }: { marks: readonly Buffer[]; sources: readonly string[] },
): Promise<{ mark: Buffer }[]> {
  return tx.all(sql`
    delete from suppressions
    where business_id = ${businessId} and channel = any('{email,sms}'::text[])
      and address_hmac = any(${byteStrings(marks)}::bytea[]) and source = any(${texts(sources)}::text[])
      and (complained_at is null or reason = 'complaint')
    returning address_hmac as mark
  `)
}

/** Deletes the hashes of a list, and returns those of them that were there. */
export function deleteHashes(
  tx: Tx,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<{ sha256: Buffer; mark: Buffer | null }[]> {
  return tx.all(sql`
    delete from suppressed_hashes
    where business_id = ${businessId} and sha256 = any(${byteStrings(hashes)}::bytea[])
    returning sha256, address_hmac as mark
  `)
}

/** The hashes that are kept beside suppressed addresses. */
export function hashesBeside(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<{ sha256: Buffer; mark: Buffer }[]> {
  return tx.all(sql`
    select sha256, address_hmac as mark from suppressed_hashes
    where business_id = ${businessId} and address_hmac = any(${byteStrings(marks)}::bytea[])
  `)
}

/** Deletes the hashes that were kept beside suppressed addresses. */
export function deleteHashesBeside(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<number> {
  return tx.run(sql`
    delete from suppressed_hashes
    where business_id = ${businessId} and address_hmac = any(${byteStrings(marks)}::bytea[])
  `)
}

/** Puts back what suppressions were before an import made them stricter. */
export function restoreListed(
  tx: Tx,
  businessId: Id<'business'>,
  { rows, source }: { rows: readonly Listed[]; source: string },
): Promise<{ mark: Buffer }[]> {
  return tx.all(sql`
    update suppressions s
    set reason = before.reason, source = before.source, created_at = before.at
    from unnest(
      ${texts(rows.map((one) => one.channel))}::text[],
      ${byteStrings(rows.map((one) => one.mark))}::bytea[],
      ${texts(rows.map((one) => one.reason))}::text[],
      ${texts(rows.map((one) => one.source))}::text[],
      ${rows.map((one) => one.at)}::timestamptz[]
    ) as before (channel, mark, reason, source, at)
    where s.business_id = ${businessId} and s.channel = before.channel
      and s.address_hmac = before.mark and s.source = ${source}
    returning s.address_hmac as mark
  `)
}

export interface ExportedSuppression {
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  at: Date
  address: string | null
  sha256: Buffer | null
}

/** A page of the list in the order of its key, without erased people. */
export function suppressionsAfter(
  db: Db,
  businessId: Id<'business'>,
  { after, limit }: { after: { channel: Channel; mark: Buffer } | null; limit: number },
): Promise<ExportedSuppression[]> {
  return db.all(sql`
    select s.channel, s.address_hmac as mark, s.reason, s.source, s.created_at as at, c.address,
      h.sha256
    from (
      select * from suppressions
      where business_id = ${businessId} and reason <> 'erased'
        and (channel, address_hmac) > (${after?.channel ?? ''}, ${after?.mark ?? Buffer.alloc(0)}::bytea)
      order by channel, address_hmac limit ${limit}
    ) s
    left join lateral (
      select email as address from contacts
      where business_id = ${businessId} and s.channel = 'email' and email_mark = s.address_hmac
      union all
      select phone from contacts
      where business_id = ${businessId} and s.channel = 'sms' and phone_mark = s.address_hmac
      limit 1
    ) c on true
    left join lateral (
      select sha256 from suppressed_hashes
      where business_id = ${businessId} and address_hmac = s.address_hmac
      limit 1
    ) h on true
    order by s.channel, s.address_hmac
  `)
}

export interface ExportedHash {
  sha256: Buffer
  reason: SuppressionReason
  at: Date
}

/** A page of the hashes that no known address has. */
export function hashesAfter(
  db: Db,
  businessId: Id<'business'>,
  { after, limit }: { after: Buffer | null; limit: number },
): Promise<ExportedHash[]> {
  return db.all(sql`
    select sha256, reason, created_at as at from suppressed_hashes
    where business_id = ${businessId} and address_hmac is null
      and sha256 > ${after ?? Buffer.alloc(0)}::bytea
    order by sha256 limit ${limit}
  `)
}

const lowestId = '00000000-0000-0000-0000-000000000000'

export interface KnownHash extends HashedSuppression {
  reason: SuppressionReason
  /** Of the address, once that is known. */
  mark: Buffer | null
}

export function findHashes(
  db: Db,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<KnownHash[]> {
  return db.all(sql`
    select sha256, reason, created_at as at, address_hmac as mark from suppressed_hashes
    where business_id = ${businessId} and sha256 = any(${byteStrings(hashes)}::bytea[])
  `)
}

export interface ContactAddresses {
  id: Id<'contact'>
  email: string | null
  phone: string | null
}

export function addressesAfter(
  db: Db,
  businessId: Id<'business'>,
  { after, limit }: { after: Id<'contact'> | null; limit: number },
): Promise<ContactAddresses[]> {
  return db.all(sql`
    select id, email, phone from contacts
    where business_id = ${businessId} and id > ${after ?? lowestId}::uuid
    order by id limit ${limit}
  `)
}

/** Whether the list has hashes of which no address is known. */
export function hasUnmatched(db: Db, businessId: Id<'business'>): Promise<{ has: boolean }> {
  return db.one(sql`
    select exists (
      select from suppressed_hashes where business_id = ${businessId} and address_hmac is null
    ) as has
  `)
}
