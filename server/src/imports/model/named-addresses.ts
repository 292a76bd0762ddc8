/** Whom imports of suppressions named, which undoing them needs. */

import type { Channel } from '../../contacts/contact.ts'
import type { FormerSuppression } from '../../contacts/suppressions/suppression.ts'
import type { Id } from '../../core/ids.ts'
import { byteStrings, longTexts, sql, texts } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { OfImport } from './changes.ts'

export interface NamedAddress {
  /** The address hash, or the SHA-256 that the file gave. */
  mark: Buffer
  channel: Channel | null
  isNew: boolean
  before: FormerSuppression | null
}

/** An address that several rows name keeps what it was before the first of them. */
export function keepNamed(
  tx: Tx,
  { businessId, importId }: OfImport,
  rows: readonly NamedAddress[],
): Promise<number> {
  return tx.run(sql`
    insert into import_suppressions (business_id, import_id, mark, channel, is_new, before)
    select ${businessId}, ${importId}, mark, channel, is_new, before::json
    from unnest(
      ${byteStrings(rows.map((row) => row.mark))}::bytea[],
      ${texts(rows.map((row) => row.channel))}::text[],
      ${rows.map((row) => row.isNew)}::boolean[],
      ${longTexts(rows.map(({ before }) => before && JSON.stringify(before)))}::text[]
    ) as new (mark, channel, is_new, before)
    on conflict (business_id, import_id, mark) do update
    set before = coalesce(import_suppressions.before, excluded.before)
  `)
}

interface StoredName extends Omit<NamedAddress, 'before'> {
  before: { reason: FormerSuppression['reason']; source: string; at: string } | null
}

/** Takes the next of them out. */
export async function takeNamed(
  tx: Tx,
  { businessId, importId }: OfImport,
  limit: number,
): Promise<NamedAddress[]> {
  const rows = await tx.all<StoredName>(sql`
    with next as (
      select mark from import_suppressions
      where business_id = ${businessId} and import_id = ${importId} order by mark limit ${limit}
    )
    delete from import_suppressions i using next
    where i.business_id = ${businessId} and i.import_id = ${importId} and i.mark = next.mark
    returning i.mark, i.channel, i.is_new as "isNew", i.before
  `)
  return rows.map((row) => {
    return { ...row, before: row.before && { ...row.before, at: new Date(row.before.at) } }
  })
}

/** Those of the addresses that another import has named as well, which answers for them from now on. */
export function handOver(
  tx: Tx,
  { businessId, importId }: OfImport,
  rows: readonly NamedAddress[],
): Promise<{ mark: Buffer }[]> {
  return tx.all(sql`
    update import_suppressions i
    set is_new = i.is_new or given.is_new, before = coalesce(i.before, given.before)
    from (
      select mark, is_new, before::json as before from unnest(
        ${byteStrings(rows.map((row) => row.mark))}::bytea[],
        ${rows.map((row) => row.isNew)}::boolean[],
        ${longTexts(rows.map(({ before }) => before && JSON.stringify(before)))}::text[]
      ) as given (mark, is_new, before)
    ) as given
    where i.business_id = ${businessId} and i.import_id <> ${importId} and i.mark = given.mark
    returning i.mark
  `)
}

export function dropNamed(tx: Tx, { businessId, importId }: OfImport): Promise<number> {
  return tx.run(sql`
    delete from import_suppressions
    where business_id = ${businessId} and import_id = ${importId}
  `)
}

/** Of an erased person no hash stays that anybody could make. */
export function forgetHashes(
  tx: Tx,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<number> {
  return tx.run(sql`
    delete from import_suppressions
    where business_id = ${businessId} and mark = any(${byteStrings(hashes)}::bytea[])
  `)
}
