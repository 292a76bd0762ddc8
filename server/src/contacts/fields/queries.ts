/** Every statement of the field catalogue. */

import type { Id } from '../../core/ids.ts'
import { ids, numbers, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { type FieldCount, type FieldType, fieldLimits, type TagCount } from './field-changes.ts'

export function addFieldCounts(tx: Tx, rows: readonly FieldCount[]): Promise<number> {
  const amounts = (type: FieldType) => numbers(rows.map(({ counts }) => counts[type]))
  return tx.run(sql`
    insert into contact_fields as f (business_id, key, texts, numbers, booleans, dates)
    select * from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${texts(rows.map((row) => row.key))}::text[],
      ${amounts('text')}::bigint[],
      ${amounts('number')}::bigint[],
      ${amounts('boolean')}::bigint[],
      ${amounts('date')}::bigint[]
    )
    on conflict (business_id, key) do update
    set texts = f.texts + excluded.texts, numbers = f.numbers + excluded.numbers,
      booleans = f.booleans + excluded.booleans, dates = f.dates + excluded.dates
  `)
}

export function addTagCounts(tx: Tx, rows: readonly TagCount[]): Promise<number> {
  return tx.run(sql`
    insert into contact_tags as t (business_id, tag, contacts)
    select * from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${texts(rows.map((row) => row.tag))}::text[],
      ${numbers(rows.map((row) => row.contacts))}::bigint[]
    )
    on conflict (business_id, tag) do update set contacts = t.contacts + excluded.contacts
  `)
}

/** Deletes entries that no contact has any more, so that nothing of a deleted person remains. */
export function deleteUncounted(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(sql`
    with fields as (
      delete from contact_fields
      where business_id = ${businessId} and texts + numbers + booleans + dates <= 0
    )
    delete from contact_tags where business_id = ${businessId} and contacts <= 0
  `)
}

export interface ListedField {
  key: string
  texts: number
  numbers: number
  booleans: number
  dates: number
  contacts: number
}

/** Lists fields, those that most contacts have first. */
export function listFields(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<ListedField[]> {
  return db.all(sql`
    select key, texts, numbers, booleans, dates, texts + numbers + booleans + dates as contacts
    from contact_fields
    where business_id = ${businessId} and texts + numbers + booleans + dates > 0
    order by contacts desc, key limit ${limit}
  `)
}

export interface CommonValue {
  key: string
  value: string
  contacts: number
}

/**
 * Lists short texts of these attributes that several of the newest contacts have, the most common
 * first. They are counted each time and never stored, so the value of a deleted contact is absent.
 */
export function listCommonValues(
  db: Db,
  businessId: Id<'business'>,
  { keys, values }: { keys: readonly string[]; values: number },
): Promise<CommonValue[]> {
  return db.all(sql`
    select key, value, contacts
    from (
      select key, value, count(*) as contacts,
        row_number() over (
          partition by key order by count(*) desc, value collate "C"
        ) as place
      from (
        select attributes from contacts where business_id = ${businessId}
        order by id desc limit ${fieldLimits.contactsRead}
      ) as newest,
      lateral (
        select key, value #>> '{}' as value from jsonb_each(attributes) as attribute (key, value)
        where key = any(${keys}::text[]) and jsonb_typeof(value) = 'string'
      ) as given
      where value <> '' and length(value) <= ${fieldLimits.valueLength}
      group by key, value having count(*) >= ${fieldLimits.peopleShown}
    ) as common
    where place <= ${values}
    order by key, place
  `)
}

export interface ListedTag {
  tag: string
  contacts: number
}

export function listTags(db: Db, businessId: Id<'business'>, limit: number): Promise<ListedTag[]> {
  return db.all(sql`
    select tag, contacts from contact_tags where business_id = ${businessId} and contacts > 0
    order by contacts desc, tag limit ${limit}
  `)
}

/** Lists names of own events, with one step through the index for each. */
export async function listEventNames(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    with recursive seen as (
      (select name from own_events where business_id = ${businessId} order by name limit 1)
      union all
      select (
        select name from own_events where business_id = ${businessId} and name > seen.name
        order by name limit 1
      ) from seen where name is not null
    )
    select name from seen where name is not null limit ${limit}
  `)
  return rows.map(({ name }) => name)
}
