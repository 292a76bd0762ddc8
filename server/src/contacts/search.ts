/** Searches, scans and counts the contacts of a business. */

import type { Id } from '../core/ids.ts'
import { highestId, type Page } from '../core/paging.ts'
import { plannedAnew, sql, within } from '../lib/db/db.ts'
import { sqlWithin } from '../lib/db/sql-within.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import type { ConsentStatus, Contact } from './contact.ts'
import { contactColumns } from './rows.ts'

/** A search for the beginning of an email address, phone number or name. */
export interface Search {
  text: string
  /** The search text as the beginning of an E.164 number, if it can be one. */
  phone: string | null
}

export interface ContactConditions {
  search: Search | null
  tag: string | null
  emailConsent: ConsentStatus | null
  smsConsent: ConsentStatus | null
  /** An additional condition on rows `c`, compiled from a filter. */
  where: Sql | null
}

/**
 * Counts the contacts that match a search, up to `limit` each by address, number and name. It uses
 * ranges instead of `like`, because only ranges use an index in a prepared statement.
 */
export async function countMatches(
  db: Db,
  businessId: Id<'business'>,
  { text, phone }: Search,
  limit: number,
): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from (
      (select 1 from contacts where business_id = ${businessId}
        and email >= lower(${text}) and email < lower(${text}) || chr(1114111) limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId}
        and phone >= ${phone} and phone < ${phone} || chr(1114111) limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId}
        and lower(name) collate "C" >= lower(${text})
        and lower(name) collate "C" < lower(${text}) || chr(1114111) limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId} and first_name is not null
        and lower(first_name) collate "C" >= lower(${text})
        and lower(first_name) collate "C" < lower(${text}) || chr(1114111) limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId} and last_name is not null
        and lower(last_name) collate "C" >= lower(${text})
        and lower(last_name) collate "C" < lower(${text}) || chr(1114111) limit ${limit})
    ) as matches
  `)
  return n
}

/**
 * Lists matches, newest first, starting from the index of what matches: for a search with few
 * matches.
 */
export function searchContacts(
  db: Db,
  businessId: Id<'business'>,
  { text, phone }: Search,
  conditions: Omit<ContactConditions, 'search'> & Page<'contact'>,
): Promise<Contact[]> {
  const { tag, emailConsent, smsConsent, where, before, limit } = conditions
  const statement = sqlWithin`
    with matching as materialized (
      select id from contacts where business_id = ${businessId}
        and email >= lower(${text}) and email < lower(${text}) || chr(1114111)
      union
      select id from contacts where business_id = ${businessId}
        and phone >= ${phone} and phone < ${phone} || chr(1114111)
      union
      select id from contacts where business_id = ${businessId}
        and lower(name) collate "C" >= lower(${text})
        and lower(name) collate "C" < lower(${text}) || chr(1114111)
      union
      select id from contacts where business_id = ${businessId} and first_name is not null
        and lower(first_name) collate "C" >= lower(${text})
        and lower(first_name) collate "C" < lower(${text}) || chr(1114111)
      union
      select id from contacts where business_id = ${businessId} and last_name is not null
        and lower(last_name) collate "C" >= lower(${text})
        and lower(last_name) collate "C" < lower(${text}) || chr(1114111)
    )
    select ${contactColumns} from contacts c
    where business_id = ${businessId} and id in (select id from matching)
      and id < ${before ?? highestId}
      and (${tag}::text is null or ${tag} = any (tags))
      and (${emailConsent}::text is null or email_consent = ${emailConsent})
      and (${smsConsent}::text is null or sms_consent = ${smsConsent})
      and ${where ?? all}
    order by id desc limit ${limit}
  `
  return db.all(where ? plannedAnew(statement) : statement)
}

const all = sql`true`

export interface ContactScan extends ContactConditions, Page<'contact'> {
  /** The oldest contact to examine; null for all. */
  downTo: Id<'contact'> | null
}

/** Lists contacts, newest first, starting from the list itself: for conditions that match many. */
export function scanContacts(
  db: Db,
  businessId: Id<'business'>,
  { search, tag, emailConsent, smsConsent, where, before, downTo, limit }: ContactScan,
): Promise<Contact[]> {
  const text = search?.text ?? null
  const statement = sqlWithin`
    select ${contactColumns} from contacts c
    where business_id = ${businessId} and id < ${before ?? highestId} and id >= ${downTo ?? oldest}
      and (${text}::text is null or starts_with(email, lower(${text}))
        or starts_with(phone, ${search?.phone ?? null}) or starts_with(lower(name), lower(${text}))
        or starts_with(lower(first_name), lower(${text}))
        or starts_with(lower(last_name), lower(${text})))
      and (${tag}::text is null or ${tag} = any (tags))
      and (${emailConsent}::text is null or email_consent = ${emailConsent})
      and (${smsConsent}::text is null or sms_consent = ${smsConsent})
      and ${where ?? all}
    order by id desc limit ${limit}
  `
  return db.all(where ? plannedAnew(statement) : statement)
}

/** A range of contacts, and the condition to count. */
export interface CountQuery {
  where: Sql
  /** The milliseconds after which the count is aborted; without it there is no limit. */
  patienceMs?: number
  before?: Id<'contact'> | null
  downTo?: Id<'contact'> | null
}

/** How many contacts of a range the condition on rows `c` matches. */
export async function countMatching(
  db: Db,
  businessId: Id<'business'>,
  { where, before, downTo, patienceMs }: CountQuery,
): Promise<number> {
  const statement = sqlWithin`
    select count(*) as n from contacts c
    where business_id = ${businessId} and id < ${before ?? highestId} and id >= ${downTo ?? oldest}
      and ${where}
  `
  const planned = plannedAnew(statement)
  const query = patienceMs === undefined ? planned : within(patienceMs, planned)
  const { n } = await db.one<{ n: number }>(query)
  return n
}

export async function countContacts(db: Db, businessId: Id<'business'>): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from contacts where business_id = ${businessId}
  `)
  return n
}

const oldest = '00000000-0000-0000-0000-000000000000'

/** The id of the last of the next `steps` contacts; undefined where there are fewer. */
export async function findFloor(
  db: Db,
  businessId: Id<'business'>,
  before: Id<'contact'> | null,
  steps: number,
): Promise<Id<'contact'> | undefined> {
  const row = await db.maybe<{ id: Id<'contact'> }>(sql`
    select id from contacts where business_id = ${businessId} and id < ${before ?? highestId}
    order by id desc offset ${steps - 1} limit 1
  `)
  return row?.id
}
