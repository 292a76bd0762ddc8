/** Statements for lists of suppressions that are imported, undone and exported. */

import type { Id } from '../../core/ids.ts'
import { byteStrings, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
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
        ${texts(marks.map((mark) => mark.channel))}::text[],
        ${byteStrings(marks.map((mark) => mark.mark))}::bytea[]
      ) as asked (channel, mark)
    )
    order by s.channel, s.address_hmac
    for no key update
  `)
}

interface ByMarks {
  marks: readonly Buffer[]
  sources: readonly string[]
}

/** Leaves of suppressions that a file made what something else said of the address, or its hash. */
export function leaveBeside(
  tx: Tx,
  businessId: Id<'business'>,
  { marks, sources }: ByMarks,
): Promise<number> {
  return tx.run(sql`
    update suppressions s
    set reason = said.reason, source = said.source, created_at = said.at,
      beside_reason = null, beside_source = null, beside_at = null
    from (
      select n.channel, n.address_hmac, coalesce(n.beside_reason, h.beside_reason) as reason,
        coalesce(n.beside_source, h.beside_source) as source, coalesce(n.beside_at, h.beside_at) as at
      from suppressions n
      left join suppressed_hashes h on h.business_id = ${businessId}
        and h.address_hmac = n.address_hmac and h.beside_reason is not null
      where n.business_id = ${businessId} and n.channel in ('email', 'sms')
        and n.address_hmac = any(${byteStrings(marks)}::bytea[]) and n.source = any(${texts(sources)}::text[])
    ) as said
    where s.business_id = ${businessId} and s.channel = said.channel
      and s.address_hmac = said.address_hmac and said.reason is not null
  `)
}

/** Deletes suppressions that an import made, where nothing else names them. */
export function deleteImported(
  tx: Tx,
  businessId: Id<'business'>,
  { marks, sources }: ByMarks,
): Promise<{ mark: Buffer }[]> {
  return tx.all(sql`
    delete from suppressions s
    where business_id = ${businessId} and channel = any('{email,sms}'::text[])
      and address_hmac = any(${byteStrings(marks)}::bytea[]) and source = any(${texts(sources)}::text[])
      and (complained_at is null or reason = 'complaint') and beside_reason is null
      and not exists (
        select from suppressed_hashes h where h.business_id = ${businessId}
          and h.address_hmac = s.address_hmac and h.beside_reason is not null
      )
    returning address_hmac as mark
  `)
}

/** Deletes the hashes of a list that nothing else names, and returns those that were there. */
export function deleteHashes(
  tx: Tx,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<{ sha256: Buffer; mark: Buffer | null }[]> {
  return tx.all(sql`
    delete from suppressed_hashes
    where business_id = ${businessId} and sha256 = any(${byteStrings(hashes)}::bytea[])
      and beside_reason is null
    returning sha256, address_hmac as mark
  `)
}

/** Leaves of the hashes of a file what something else said of them. */
export function leaveHashesBeside(
  tx: Tx,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<number> {
  return tx.run(sql`
    update suppressed_hashes
    set reason = beside_reason, created_at = beside_at
    where business_id = ${businessId} and sha256 = any(${byteStrings(hashes)}::bytea[])
      and beside_reason is not null
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

/** What something else has said since stops more than what the suppression was before. */
const saidMore = sql`(
  (before.reason = 'unsubscribed' and s.beside_reason <> 'unsubscribed')
  or (before.reason = 'complaint' and s.beside_reason not in ('complaint', 'unsubscribed'))
)`

/**
 * Puts back what suppressions were before an import made them stricter, or what something else has
 * said since, whichever stops more.
 */
export function restoreListed(
  tx: Tx,
  businessId: Id<'business'>,
  { rows, source }: { rows: readonly Listed[]; source: string },
): Promise<{ mark: Buffer }[]> {
  return tx.all(sqlWithin`
    update suppressions s
    set reason = case when ${saidMore} then s.beside_reason else before.reason end,
      source = case when ${saidMore} then s.beside_source else before.source end,
      created_at = case when ${saidMore} then s.beside_at else before.at end,
      beside_reason = null, beside_source = null, beside_at = null
    from unnest(
      ${texts(rows.map((row) => row.channel))}::text[],
      ${byteStrings(rows.map((row) => row.mark))}::bytea[],
      ${texts(rows.map((row) => row.reason))}::text[],
      ${texts(rows.map((row) => row.source))}::text[],
      ${rows.map((row) => row.at)}::timestamptz[]
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
