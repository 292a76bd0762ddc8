/** Statements for suppressions that are known only by the SHA-256 of the address. */

import type { Id } from '../../core/ids.ts'
import { byteStrings, ids, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { fileSource, type SuppressionReason } from './suppression.ts'
import type { AddressHash } from './suppression-queries.ts'

export interface HashedSuppression {
  sha256: Buffer
  reason: SuppressionReason
  at: Date
}

/** Stores the hashes, and of those that something other than a file names what that said. */
export function insertHashed(
  tx: Tx,
  businessId: Id<'business'>,
  rows: readonly HashedSuppression[],
  { source, now }: { source: string; now: Date },
): Promise<number> {
  const beside = source === fileSource ? null : source
  return tx.run(sql`
    insert into suppressed_hashes (business_id, sha256, reason, created_at, written_at,
      beside_reason, beside_source, beside_at)
    select distinct on (sha256) ${businessId}::uuid, sha256, reason, created_at,
      ${now}::timestamptz, case when beside is not null then reason end, beside,
      case when beside is not null then created_at end
    from unnest(
      ${rows.map((row) => row.sha256)}::bytea[],
      ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => row.at)}::timestamptz[]
    ) as new (sha256, reason, created_at), (select ${beside}::text) as source (beside)
    order by sha256, reason = 'unsubscribed', reason = 'complaint'
    on conflict (business_id, sha256) do update
    set beside_reason = excluded.beside_reason, beside_source = excluded.beside_source,
      beside_at = excluded.beside_at
    where excluded.beside_reason is not null and (suppressed_hashes.beside_reason is null
      or (suppressed_hashes.beside_reason = 'unsubscribed'
        and excluded.beside_reason <> 'unsubscribed')
      or (suppressed_hashes.beside_reason = 'complaint'
        and excluded.beside_reason not in ('complaint', 'unsubscribed')))
  `)
}

export interface HashedContact {
  sha256: Buffer
  address: string
  isEmail: boolean
}

/** Finds the contacts that have one of these addresses; this reads all contacts of the business. */
export function findHashed(
  tx: Tx,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<HashedContact[]> {
  return tx.all(sql`
    select sha256, address, is_email as "isEmail"
    from contacts,
      lateral (values
        (email, true, sha256(convert_to(email, 'UTF8'))),
        (phone, false, sha256(convert_to(phone, 'UTF8')))
      ) as hashed (address, is_email, sha256)
    where business_id = ${businessId} and sha256 = any(${hashes}::bytea[])
  `)
}

export function setHashedMarks(
  tx: Tx,
  businessId: Id<'business'>,
  rows: readonly { sha256: Buffer; mark: Buffer }[],
): Promise<number> {
  return tx.run(sql`
    update suppressed_hashes h set address_hmac = new.mark
    from unnest(
      ${rows.map((row) => row.sha256)}::bytea[], ${rows.map((row) => row.mark)}::bytea[]
    ) as new (sha256, mark)
    where h.business_id = ${businessId} and h.sha256 = new.sha256
  `)
}

export interface NewAddress extends AddressHash {
  address: string
}

/**
 * Suppresses the addresses whose hash is on their business's list. Few businesses have such a list;
 * without a list the addresses are not hashed.
 */
export function suppressHashed(tx: Tx, rows: readonly NewAddress[], source: string, now: Date) {
  const businesses = [...new Set(rows.map((row) => row.businessId))]
  return tx.run(sql`
    with found as (
      update suppressed_hashes h set address_hmac = a.mark
      from unnest(
        ${ids(rows.map((row) => row.businessId))}::uuid[],
        ${texts(rows.map((row) => row.channel))}::text[],
        ${texts(rows.map((row) => row.address))}::text[],
        ${byteStrings(rows.map((row) => row.mark))}::bytea[]
      ) as a (business_id, channel, address, mark)
      where exists (select from suppressed_hashes where business_id = any(${businesses}::uuid[]))
        and h.business_id = a.business_id and h.sha256 = sha256(convert_to(a.address, 'UTF8'))
      returning a.*, h.reason, h.created_at
    )
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at,
      complained_at, written_at)
    select business_id, channel, mark, reason, ${source}, created_at,
      case when reason = 'complaint' then created_at end, ${now}::timestamptz
    from found
    on conflict do nothing
  `)
}

export interface HashedAddress {
  sha256: Buffer | null
  mark: Buffer
  /** Deletes it only if it is listed for one of these reasons; for any reason if absent. */
  reasons?: readonly string[] | null
}

/** Deletes the hash of an address, by itself or by the address hash of the contact that had it. */
export function deleteHashed(
  tx: Tx,
  businessId: Id<'business'>,
  { sha256, mark, reasons = null }: HashedAddress,
): Promise<number> {
  return tx.run(sql`
    delete from suppressed_hashes
    where business_id = ${businessId} and (sha256 = ${sha256} or address_hmac = ${mark})
      and (${reasons}::text[] is null or reason = any(${reasons}::text[]))
  `)
}
