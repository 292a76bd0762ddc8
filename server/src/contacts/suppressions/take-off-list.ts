/**
 * What an import put on the list of suppressions goes from there. Where something else has named the
 * address since, as strictly or more mildly, that stays in its place: who said no stays no.
 */
import type { Id } from '../../core/ids.ts'
import { byteStrings, sql, sqlWithin, texts } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Listed } from './import.ts'
import { hashedSource } from './suppression.ts'

export interface Imported {
  /** Address hashes that the import added. */
  marks: readonly Buffer[]
  /** SHA-256 that it added without an address. */
  hashes: readonly Buffer[]
  /** What the suppressions were that it made stricter. */
  former: readonly Listed[]
  source: string
}

export async function takeOffList(
  tx: Tx,
  businessId: Id<'business'>,
  { marks, hashes, former, source }: Imported,
): Promise<{ deleted: number; restored: number }> {
  const unhashed = hashes.length > 0 ? await deleteHashes(tx, businessId, hashes) : []
  const byAddress = await takeOff(tx, businessId, { marks, sources: [source] })
  if (byAddress.length > 0) await deleteHashesBeside(tx, businessId, byAddress)
  // If a contact has the address of a hash, its suppression goes together with the hash.
  const addressMarks = unhashed.flatMap(({ mark }) => mark ?? [])
  await takeOff(tx, businessId, { marks: addressMarks, sources: [source, hashedSource] })
  if (hashes.length > 0) await leaveHashesBeside(tx, businessId, hashes)
  const restored =
    former.length > 0 ? await restoreListed(tx, businessId, { rows: former, source }) : []
  return { deleted: byAddress.length + unhashed.length, restored: restored.length }
}

async function takeOff(
  tx: Tx,
  businessId: Id<'business'>,
  listed: { marks: readonly Buffer[]; sources: readonly string[] },
): Promise<Buffer[]> {
  if (listed.marks.length === 0) return []
  // First the deletion, which leaves alone what the update turns into something else's.
  const deleted = await deleteImported(tx, businessId, listed)
  await leaveBeside(tx, businessId, listed)
  return deleted.map(({ mark }) => mark)
}

/** The SHA-256 that are kept beside suppressed addresses, each with the address hash. */
export async function hashesOf(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<{ sha256: Buffer; mark: Buffer }[]> {
  return marks.length > 0 ? hashesBeside(tx, businessId, marks) : []
}

interface ByMarks {
  marks: readonly Buffer[]
  sources: readonly string[]
}

/** Leaves of suppressions that a file made what something else said of the address, or its hash. */
function leaveBeside(
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
function deleteImported(
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
function deleteHashes(
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
function leaveHashesBeside(
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
function hashesBeside(
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
function deleteHashesBeside(
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
function restoreListed(
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
