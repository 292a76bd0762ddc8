/**
 * Maintains the field catalogue: code that changes or ends contacts calls it in its transaction.
 */

import type { Id } from '../../core/ids.ts'
import { ids, numbers, sql, texts } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { type AttributeValue, type ContactValues, isTime } from '../contact.ts'

/** The writes are pipelined, so a caller that needs no other result does not wait for them. */
export async function countFields(tx: Tx, changes: readonly FieldChange[]): Promise<void> {
  const { fields, tags } = catalogueChangesOf(changes)
  await Promise.all([
    fields.length > 0 && addFieldCounts(tx.pipelined, fields),
    tags.length > 0 && addTagCounts(tx.pipelined, tags),
  ])
}

export const fieldTypes = ['text', 'number', 'boolean', 'date'] as const
export type FieldType = (typeof fieldTypes)[number]

export const fieldLimits = {
  /** The most characters of a listed value, because longer texts are not categories. */
  valueLength: 60,
  /** The number of newest contacts among which common values are counted. */
  contactsRead: 10_000,
  /** How many attributes, and how many tags, are compared with a name that no contact has. */
  namesCompared: 1_000,
  /** The fewest people with a value that is shown, so that it reveals none of them. */
  peopleShown: 5,
} as const

type CountedValues = Pick<ContactValues, 'attributes' | 'tags'>

/** A contact before and after a change; null where it did not exist or no longer exists. */
export interface FieldChange {
  businessId: Id<'business'>
  before: CountedValues | null
  after: CountedValues | null
}

export interface FieldCount {
  businessId: Id<'business'>
  key: string
  counts: Record<FieldType, number>
}

export interface TagCount {
  businessId: Id<'business'>
  tag: string
  contacts: number
}

interface CatalogueChanges {
  fields: FieldCount[]
  tags: TagCount[]
}

/** A text has the type `date` if filters can treat it as a date. */
export function typeOfValue(value: AttributeValue): FieldType {
  if (typeof value === 'number' || typeof value === 'boolean') {
    return typeof value as 'number' | 'boolean'
  }
  return isTime(value) ? 'date' : 'text'
}

const none: CountedValues = { attributes: {}, tags: [] }

/** Returns the changes that do not cancel out, in the order in which rows are locked. */
function catalogueChangesOf(changes: readonly FieldChange[]): CatalogueChanges {
  const sums: Sums = { fields: new Map(), tags: new Map() }
  for (const { businessId, before, after } of changes) {
    const [old, next] = [before ?? none, after ?? none]
    if (old.attributes !== next.attributes) {
      addAttributes(sums, businessId, old.attributes, { except: next.attributes, amount: -1 })
      addAttributes(sums, businessId, next.attributes, { except: old.attributes, amount: 1 })
    }
    if (old.tags !== next.tags) {
      addTags(sums, businessId, old.tags, { except: next.tags, amount: -1 })
      addTags(sums, businessId, next.tags, { except: old.tags, amount: 1 })
    }
  }
  return {
    fields: inOrder(sums.fields).filter(({ counts }) =>
      fieldTypes.some((fieldType) => counts[fieldType]),
    ),
    tags: inOrder(sums.tags).filter(({ contacts }) => contacts !== 0),
  }
}

/** By business and name. */
type Counts<T> = Map<Id<'business'>, Map<string, T>>

interface Sums {
  fields: Counts<FieldCount>
  tags: Counts<TagCount>
}

interface Side<Of> {
  /** The other side. Values that both sides have do not change the counts. */
  except: Of
  amount: 1 | -1
}

type Attributes = ContactValues['attributes']

function addAttributes(
  sums: Sums,
  businessId: Id<'business'>,
  attributes: Attributes,
  { except, amount }: Side<Attributes>,
): void {
  const counts = countsOf(sums.fields, businessId)
  for (const key of Object.keys(attributes)) {
    const value = attributes[key] as AttributeValue
    if (Object.hasOwn(except, key) && except[key] === value) continue
    const count = counts.get(key) ?? { businessId, key, counts: newCounts() }
    counts.set(key, count)
    count.counts[typeOfValue(value)] += amount
  }
}

function addTags(
  sums: Sums,
  businessId: Id<'business'>,
  tags: readonly string[],
  { except, amount }: Side<readonly string[]>,
): void {
  const counts = countsOf(sums.tags, businessId)
  for (const tag of tags) {
    if (except.includes(tag)) continue
    const count = counts.get(tag) ?? { businessId, tag, contacts: 0 }
    count.contacts += amount
    counts.set(tag, count)
  }
}

const newCounts = () => ({ text: 0, number: 0, boolean: 0, date: 0 })

function countsOf<T>(sums: Counts<T>, businessId: Id<'business'>): Map<string, T> {
  const sum = sums.get(businessId)
  if (sum) return sum
  const counters = new Map<string, T>()
  sums.set(businessId, counters)
  return counters
}

function inOrder<T>(sums: Counts<T>): T[] {
  return byName(sums).flatMap(([, counts]) => byName(counts).map(([, count]) => count))
}

const byName = <T>(entries: Map<string, T>): [string, T][] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1))

function addFieldCounts(tx: Tx, rows: readonly FieldCount[]): Promise<number> {
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

function addTagCounts(tx: Tx, rows: readonly TagCount[]): Promise<number> {
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
