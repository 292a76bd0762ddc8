/** Statements that find which names and values of a filter contacts have. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { fieldLimits } from './count-fields.ts'

export interface NameCount {
  name: string
  contacts: number
}

/** Attributes and how many contacts have each, the most used first. */
export function countAttributes(db: Db, businessId: Id<'business'>): Promise<NameCount[]> {
  return db.all(sql`
    select key as name, texts + numbers + booleans + dates as contacts from contact_fields
    where business_id = ${businessId} and texts + numbers + booleans + dates > 0
    order by contacts desc, key limit ${fieldLimits.namesCompared}
  `)
}

/** Tags and how many contacts have each, the most used first. */
export function countTags(db: Db, businessId: Id<'business'>): Promise<NameCount[]> {
  return db.all(sql`
    select tag as name, contacts from contact_tags
    where business_id = ${businessId} and contacts > 0
    order by contacts desc, tag limit ${fieldLimits.namesCompared}
  `)
}

/** Which of the names at least one contact has, however many names there are. */
export function findUsed(
  db: Db,
  businessId: Id<'business'>,
  { keys, tags }: { keys: readonly string[]; tags: readonly string[] },
): Promise<{ key: string | null; tag: string | null }[]> {
  return db.all(sql`
    select key, null as tag from contact_fields
    where business_id = ${businessId} and key = any(${keys}::text[])
      and texts + numbers + booleans + dates > 0
    union all
    select null, tag from contact_tags
    where business_id = ${businessId} and tag = any(${tags}::text[]) and contacts > 0
  `)
}

export interface TextValue {
  key: string
  value: string
}

/** Which of the values one of the newest contacts has, in exactly this spelling. */
export function findUsedValues(
  db: Db,
  businessId: Id<'business'>,
  values: readonly TextValue[],
): Promise<TextValue[]> {
  return db.all(sql`
    select distinct asked.key, asked.value
    from unnest(
      ${values.map((value) => value.key)}::text[], ${values.map((value) => value.value)}::text[]
    ) as asked (key, value)
    join (
      select attributes from contacts where business_id = ${businessId}
      order by id desc limit ${fieldLimits.contactsRead}
    ) as newest on newest.attributes ->> asked.key = asked.value
  `)
}
