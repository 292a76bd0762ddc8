/** Statements about suppressions only. */

import type { Id } from '../../core/ids.ts'
import { byteStrings, ids, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import type { Suppression, SuppressionReason } from './suppression.ts'

export interface SuppressionRow {
  businessId: Id<'business'>
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  /** When the suppression began, if that is not now. */
  at?: Date
}

/** Whether the new reason replaces the existing one. */
const outweighs = sql`(
  (excluded.reason = 'erased' and suppressions.reason <> 'erased')
  or (suppressions.reason = 'complaint'
    and excluded.reason not in ('complaint', 'unsubscribed'))
  or (suppressions.reason = 'unsubscribed' and excluded.reason <> 'unsubscribed')
)`

/**
 * Something other than a file names an address that is on the list because of a file, and for a
 * reason that stops more than what it names already. The sources are `fileSource` and
 * `hashedSource`, written out because a plan of a conflict takes no parameters.
 */
const isNamedBeside = sql`(
  suppressions.source in ('import', 'suppression.import')
  and excluded.source not in ('import', suppressions.source)
  and (suppressions.beside_reason is null
    or (suppressions.beside_reason = 'unsubscribed' and excluded.reason <> 'unsubscribed')
    or (suppressions.beside_reason = 'complaint'
      and excluded.reason not in ('complaint', 'unsubscribed')))
)`

/** A file's suppression becomes something else's, which needs nothing beside it. */
const isTakenOver = sqlWithin`(excluded.source <> 'import' and ${outweighs})`

/** Inserts in a fixed order, against deadlocks; an address named twice counts once. */
export function insertSuppressions(tx: Tx, rows: SuppressionRow[], now: Date): Promise<number> {
  return tx.run(sqlWithin`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at,
      complained_at, written_at)
    select distinct on (business_id, channel, mark)
      business_id, channel, mark, reason, source, at, case when reason = 'complaint' then at end,
      ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.mark)}::bytea[],
      ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.at ?? now)}::timestamptz[]
    ) as new (business_id, channel, mark, reason, source, at)
    order by business_id, channel, mark, reason = 'erased' desc, reason = 'unsubscribed',
      reason = 'complaint'
    on conflict (business_id, channel, address_hmac) do update
    set complained_at = coalesce(suppressions.complained_at, excluded.complained_at),
      written_at = excluded.written_at,
      reason = case when ${outweighs} then excluded.reason else suppressions.reason end,
      source = case when ${outweighs} then excluded.source else suppressions.source end,
      created_at = case when ${outweighs} then excluded.created_at else suppressions.created_at end,
      beside_reason = case when ${isTakenOver} then null
        when ${isNamedBeside} then excluded.reason else suppressions.beside_reason end,
      beside_source = case when ${isTakenOver} then null
        when ${isNamedBeside} then excluded.source else suppressions.beside_source end,
      beside_at = case when ${isTakenOver} then null
        when ${isNamedBeside} then excluded.created_at else suppressions.beside_at end
    where ${outweighs} or ${isNamedBeside}
      or (excluded.complained_at is not null and suppressions.complained_at is null)
  `)
}

export function findSuppressions(
  db: Db,
  businessId: Id<'business'>,
  marks: { email: Buffer | null; phone: Buffer | null },
): Promise<Suppression[]> {
  return db.all(sql`
    select channel, reason, source, created_at as "createdAt" from suppressions
    where business_id = ${businessId} and (
      (channel = 'email' and address_hmac = ${marks.email})
      or (channel = 'sms' and address_hmac = ${marks.phone})
    )
    order by channel
  `)
}

export function deleteSuppressions(
  tx: Tx,
  businessId: Id<'business'>,
  {
    channel,
    mark,
    reasons,
  }: Omit<AddressHash, 'businessId'> & { reasons: readonly SuppressionReason[] },
): Promise<number> {
  return tx.run(sql`
    delete from suppressions
    where business_id = ${businessId} and channel = ${channel} and address_hmac = ${mark}
      and reason = any(${reasons}::text[])
  `)
}

export interface AddressHash {
  businessId: Id<'business'>
  channel: Channel
  mark: Buffer
}

export interface SuppressedAddress {
  businessId: Id<'business'>
  channel: Channel
  address: string
  reason: SuppressionReason
  createdAt: Date
}

/** Which of the addresses are suppressed, or stand on a list of hashes that nobody had yet. */
export function findSuppressed(
  tx: Tx,
  rows: readonly (AddressHash & { address: string })[],
): Promise<SuppressedAddress[]> {
  return tx.all(sql`
    with asked as (
      select * from unnest(
        ${ids(rows.map((row) => row.businessId))}::uuid[],
        ${texts(rows.map((row) => row.channel))}::text[],
        ${texts(rows.map((row) => row.address))}::text[],
        ${byteStrings(rows.map((row) => row.mark))}::bytea[]
      ) as asked (business_id, channel, address, mark)
    )
    select a.business_id as "businessId", a.channel, a.address, s.reason,
      s.created_at as "createdAt"
    from asked a
    join suppressions s on s.business_id = a.business_id and s.channel = a.channel
      and s.address_hmac = a.mark
    union all
    select a.business_id, a.channel, a.address, h.reason, h.created_at
    from asked a
    join suppressed_hashes h on h.business_id = a.business_id and h.address_hmac is null
      and h.sha256 = sha256(convert_to(a.address, 'UTF8'))
  `)
}

/** Which of the address hashes belong to an erased person. */
export function findErased(tx: Tx, marks: AddressHash[]): Promise<AddressHash[]> {
  return tx.all(sql`
    select asked.business_id as "businessId", asked.channel, asked.mark
    from unnest(
      ${ids(marks.map((mark) => mark.businessId))}::uuid[],
      ${texts(marks.map((mark) => mark.channel))}::text[],
      ${byteStrings(marks.map((mark) => mark.mark))}::bytea[]
    ) as asked (business_id, channel, mark)
    join suppressions s on s.business_id = asked.business_id and s.channel = asked.channel
      and s.address_hmac = asked.mark
    where s.reason = 'erased'
  `)
}
