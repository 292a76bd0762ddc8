/** What an import wrote: the changes to contacts, so that they can be undone, and its refused rows. */

import type { Channel } from '../contacts/contact.ts'
import type { FieldValues } from '../contacts/field-values.ts'
import type { FormerSuppression } from '../contacts/suppressions/suppression.ts'
import type { Id } from '../core/ids.ts'
import { byteStrings, ids, longTexts, numbers, sql, texts } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export interface ImportChange {
  contactId: Id<'contact'>
  /** Null if the import created the contact. */
  before: FieldValues | null
  after: FieldValues | null
  /** Equal to the contact's `updatedAt` as long as nothing else has changed the contact since. */
  changedAt: Date
}

export interface OfImport {
  businessId: Id<'business'>
  importId: Id<'import'>
}

/** A contact that several rows change keeps its first `before` and gets the last `after`. */
export function keepChanges(
  tx: Tx,
  { businessId, importId }: OfImport,
  { changes, now }: { changes: readonly Omit<ImportChange, 'changedAt'>[]; now: Date },
): Promise<number> {
  const json = (values: FieldValues | null) => (values === null ? null : JSON.stringify(values))
  return tx.run(sql`
    insert into import_changes (business_id, import_id, contact_id, before, after, changed_at)
    select ${businessId}, ${importId}, contact_id, before::jsonb, after::jsonb, ${now}
    from unnest(
      ${ids(changes.map((change) => change.contactId))}::uuid[],
      ${longTexts(changes.map((change) => json(change.before)))}::text[],
      ${longTexts(changes.map((change) => json(change.after)))}::text[]
    ) as new (contact_id, before, after)
    on conflict (business_id, import_id, contact_id) do update
    set before = excluded.before || import_changes.before,
      after = import_changes.after || excluded.after, changed_at = excluded.changed_at
  `)
}

export function nextChanges(
  tx: Tx,
  { businessId, importId }: OfImport,
  limit: number,
): Promise<ImportChange[]> {
  return tx.all(sql`
    select contact_id as "contactId", before, after, changed_at as "changedAt" from import_changes
    where business_id = ${businessId} and import_id = ${importId}
    order by contact_id limit ${limit}
  `)
}

export function dropChanges(
  tx: Tx,
  { businessId, importId }: OfImport,
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  return tx.run(sql`
    delete from import_changes
    where business_id = ${businessId} and import_id = ${importId}
      and contact_id = any(${ids(contactIds)}::uuid[])
  `)
}

export interface RowError {
  row: number
  raw: string | null
  code: string
  field: string
  message: string
}

export function keepErrors(
  tx: Tx,
  { businessId, importId }: OfImport,
  errors: readonly RowError[],
): Promise<number> {
  return tx.run(sql`
    insert into import_errors (business_id, import_id, row_number, raw, code, field, message)
    select ${businessId}, ${importId}, row_number, raw, code, field, message
    from unnest(
      ${numbers(errors.map((error) => error.row))}::bigint[],
      ${longTexts(errors.map((error) => error.raw))}::text[],
      ${texts(errors.map((error) => error.code))}::text[],
      ${texts(errors.map((error) => error.field))}::text[],
      ${texts(errors.map((error) => error.message))}::text[]
    ) as new (row_number, raw, code, field, message)
  `)
}

export function errorsAfter(
  db: Db,
  { businessId, importId }: OfImport,
  { row, limit }: { row: number; limit: number },
): Promise<RowError[]> {
  return db.all(sql`
    select row_number as row, raw, code, field, message from import_errors
    where business_id = ${businessId} and import_id = ${importId} and row_number > ${row}
    order by row_number limit ${limit}
  `)
}

export function dropKept(tx: Tx, { businessId, importId }: OfImport): Promise<number> {
  return tx.run(sql`
    with changes as (
      delete from import_changes where business_id = ${businessId} and import_id = ${importId}
    )
    delete from import_errors where business_id = ${businessId} and import_id = ${importId}
  `)
}

/**
 * Deletes an erased person's undo data, and refused rows that name their addresses. A phone number
 * matches by its last digits, however it is written, and an address by its SHA-256, too.
 */
export function forgetPerson(
  tx: Tx,
  businessId: Id<'business'>,
  { contactIds, addresses }: { contactIds: readonly Id<'contact'>[]; addresses: readonly string[] },
): Promise<number> {
  return tx.run(sql`
    with changes as (
      delete from import_changes
      where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
    )
    delete from import_errors e
    where e.business_id = ${businessId} and exists (
      select from unnest(${addresses}::text[]) as erased (address)
      where position(lower(erased.address) in lower(e.raw)) > 0
        or position(encode(sha256(convert_to(erased.address, 'UTF8')), 'hex') in lower(e.raw)) > 0
        or (erased.address like '+%' and position(
          right(erased.address, 8) in translate(e.raw, e' \\u00a0\\t()-./', '')
        ) > 0)
    )
  `)
}

export function moveChanges(
  tx: Tx,
  businessId: Id<'business'>,
  { from, to }: { from: Id<'contact'>; to: Id<'contact'> },
): Promise<number> {
  return tx.run(sql`
    update import_changes c set contact_id = ${to}
    where c.business_id = ${businessId} and c.contact_id = ${from} and not exists (
      select from import_changes o where o.business_id = ${businessId}
        and o.import_id = c.import_id and o.contact_id = ${to}
    )
  `)
}

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

/** Deletes the hashes of an erased person that anybody could compute. */
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
