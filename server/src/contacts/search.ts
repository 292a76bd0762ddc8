/** Searches, scans and counts the contacts of a business. */

import { domainToASCII } from 'node:url'
import type { Id } from '../core/ids.ts'
import { addressPattern } from '../core/masking.ts'
import { highestId, type Page } from '../core/paging.ts'
import { joined, plannedAnew, sql, sqlWithin, within } from '../lib/db/db.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { ConsentStatus, Contact } from './contact.ts'
import { contactColumns } from './rows.ts'
import { plainText } from './search-index.ts'

export const searchInput = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 254,
    description:
      'A part of the name, address, number or of a field; of one or two characters: how they begin.',
  }),
)

/** A search for a part of what people are found by, or for the beginning of an address or name. */
export interface Search {
  text: string
  /** The search text as the beginning of an E.164 number, if it can be one. */
  phone: string | null
  /** A condition on `words` of `contact_search`; null where beginnings alone are searched. */
  words: Sql | null
  /** The same with one letter too many, too few, wrong or swapped; null for short words. */
  mistyped: Sql | null
  /** The most that may follow the text in an address, and in a number. */
  rest: string
  /** Names with such a part are not found by their beginning; null for none. */
  hidden: string | null
}

/** Above every character of an address, and below each: by it only the whole address is found. */
const [anyRest, noRest] = ['\u{10ffff}', '\u0001']

/** Under three characters no index finds a part, so that the beginning is searched. */
const shortestPart = 3
/** Shorter words with a wrong letter match nearly everything. */
const shortestMistyped = 4
const longestMistyped = 30
const maxWords = 8

/**
 * A number may be typed with separators, and an E.164 number starts with a plus. With `isWhole` an
 * address or a number is found by all of it alone.
 */
export async function searchFor(db: Db, q: string, isWhole = false): Promise<Search> {
  const text = q.normalize('NFC').trim()
  const digits = text.replace(/[\s().-]/g, '')
  const isPhone = /^\+?\d+$/.test(digits)
  // A national number begins with a zero that the stored number lacks.
  const number = digits.replace(/^\+?0*/, '')
  const words = isPhone ? [number] : plainText(text).split(/\s+/u).filter(Boolean)
  const isIndexed =
    !isWhole &&
    words.length <= maxWords &&
    words.some((word) => word.length >= shortestPart) &&
    (await hasWordsIndex(db))
  return {
    text: withAsciiDomain(text),
    phone: isPhone ? `+${digits.replace('+', '')}` : null,
    words: isIndexed ? joined(words.map(partOf), 'and') : null,
    mistyped: isIndexed && !isPhone ? mistypedIn(words) : null,
    rest: isWhole ? noRest : anyRest,
    hidden: isWhole ? addressPattern : null,
  }
}

/** Addresses are stored with the ASCII form of their domain, whose beginning a search may be. */
function withAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (at < 0 || !/[^\p{ASCII}]/u.test(domain)) return text
  const ascii = domainToASCII(domain)
  return ascii === '' ? text : `${text.slice(0, at + 1)}${ascii}`
}

const indexed = new WeakSet<Db>()

/** The index exists where the server has the extensions that it needs. */
async function hasWordsIndex(db: Db): Promise<boolean> {
  if (indexed.has(db)) return true
  const { found: isMatch } = await db.one<{ found: boolean }>(sql`
    select to_regclass('contact_search_by_words') is not null as found
  `)
  if (isMatch) indexed.add(db)
  return isMatch
}

const partOf = (word: string): Sql => sql`words like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`

/** One of the words is mistyped, and the others are not. */
function mistypedIn(words: readonly string[]): Sql | null {
  const clauses = words.flatMap((word, index) => {
    const pattern = mistypedPattern(word)
    if (pattern === null) return []
    const others = words.filter((_, other) => other !== index).map(partOf)
    return [joined([sql`words ~ ${pattern}`, ...others], 'and')]
  })
  return clauses.length === 0 ? null : joined(clauses, 'or')
}

/**
 * A regular expression of every spelling that is one letter away. Each alternative has three known
 * characters in a row, by which the index finds it; short words are found where a word begins.
 */
export function mistypedPattern(word: string): string | null {
  const letters = Array.from(word)
  if (letters.length < shortestMistyped || letters.length > longestMistyped) return null
  const before = letters.length < 2 * shortestPart ? [' '] : []
  const spellings = letters.flatMap((letter, i) => {
    const [start, next, rest] = [letters.slice(0, i), letters[i + 1], letters.slice(i + 1)]
    return [
      [...start, anyLetter, ...rest],
      [...start, ...rest],
      ...(i === 0 ? [] : [[...start, anyLetter, letter, ...rest]]),
      ...(next === undefined ? [] : [[...start, next, letter, ...rest.slice(1)]]),
    ]
  })
  const matches = spellings
    .map((spelling) => [...before, ...spelling])
    .filter((spelling) => longestRun(spelling) >= shortestPart)
    .map((spelling) => spelling.map(literal).join(''))
  return matches.length === 0 ? null : [...new Set(matches)].join('|')
}

const anyLetter = null

const literal = (letter: string | null): string =>
  letter === anyLetter ? '.' : letter.replace(/[^\p{L}\p{N} ]/u, '\\$&')

function longestRun(letters: readonly (string | null)[]): number {
  let longest = 0
  let run = 0
  for (const letter of letters) {
    run = letter !== anyLetter && /[\p{L}\p{N} ]/u.test(letter) ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
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
  { text, phone, words, rest, hidden }: Search,
  limit: number,
): Promise<number> {
  const statement = sqlWithin`
    select count(*) as n from (
      (select 1 from contacts where business_id = ${businessId}
        and email >= lower(${text}) and email < lower(${text}) || ${rest}::text limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId}
        and phone >= ${phone} and phone < ${phone} || ${rest}::text limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId}
        and lower(name) collate "C" >= lower(${text})
        and lower(name) collate "C" < lower(${text}) || chr(1114111)
        and (${hidden}::text is null or name !~ ${hidden}) limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId} and first_name is not null
        and lower(first_name) collate "C" >= lower(${text})
        and lower(first_name) collate "C" < lower(${text}) || chr(1114111)
        and (${hidden}::text is null or first_name !~ ${hidden}) limit ${limit})
      union all
      (select 1 from contacts where business_id = ${businessId} and last_name is not null
        and lower(last_name) collate "C" >= lower(${text})
        and lower(last_name) collate "C" < lower(${text}) || chr(1114111)
        and (${hidden}::text is null or last_name !~ ${hidden}) limit ${limit})
      union all
      (select 1 from contact_search where business_id = ${businessId} and ${words ?? none}
        limit ${limit})
    ) as matches
  `
  const { n } = await db.one<{ n: number }>(words ? plannedAnew(statement) : statement)
  return n
}

/**
 * Lists matches, newest first, starting from the index of what matches: for a search with few
 * matches.
 */
export function searchContacts(
  db: Db,
  businessId: Id<'business'>,
  search: Search,
  conditions: Omit<ContactConditions, 'search'> & Page<'contact'>,
): Promise<Contact[]> {
  const { tag, emailConsent, smsConsent, where, before, limit } = conditions
  const statement = sqlWithin`
    with matching as materialized (${matchingIds(businessId, search)})
    select ${contactColumns} from contacts c
    where business_id = ${businessId} and id in (select id from matching)
      and id < ${before ?? highestId}
      and (${tag}::text is null or ${tag} = any (tags))
      and (${emailConsent}::text is null or email_consent = ${emailConsent})
      and (${smsConsent}::text is null or sms_consent = ${smsConsent})
      and ${where ?? all}
    order by id desc limit ${limit}
  `
  return db.all(where || search.words ? plannedAnew(statement) : statement)
}

/** The ids of all matches, each part by its index: for a search with few matches. */
const matchingIds = (
  businessId: Id<'business'>,
  { text, phone, words, rest, hidden }: Search,
): Sql => sqlWithin`
  select id from contacts where business_id = ${businessId}
    and email >= lower(${text}) and email < lower(${text}) || ${rest}::text
  union
  select id from contacts where business_id = ${businessId}
    and phone >= ${phone} and phone < ${phone} || ${rest}::text
  union
  select id from contacts where business_id = ${businessId}
    and lower(name) collate "C" >= lower(${text})
    and lower(name) collate "C" < lower(${text}) || chr(1114111)
    and (${hidden}::text is null or name !~ ${hidden})
  union
  select id from contacts where business_id = ${businessId} and first_name is not null
    and lower(first_name) collate "C" >= lower(${text})
    and lower(first_name) collate "C" < lower(${text}) || chr(1114111)
    and (${hidden}::text is null or first_name !~ ${hidden})
  union
  select id from contacts where business_id = ${businessId} and last_name is not null
    and lower(last_name) collate "C" >= lower(${text})
    and lower(last_name) collate "C" < lower(${text}) || chr(1114111)
    and (${hidden}::text is null or last_name !~ ${hidden})
  union
  select contact_id from contact_search where business_id = ${businessId} and ${words ?? none}
`

const all = sql`true`
const none = sql`false`

/** Whether the row `c` matches: for a search with many matches, where the list is walked. */
const isAddress = (text: string, phone: string | null): Sql =>
  sql`(c.email = lower(${text}) or c.phone = ${phone})`

const beginsAddress = (text: string, phone: string | null): Sql =>
  sql`(starts_with(c.email, lower(${text})) or starts_with(c.phone, ${phone}))`

const isMatch = (
  businessId: Id<'business'>,
  { text, phone, words, rest, hidden }: Search,
): Sql => sqlWithin`
  (${rest === noRest ? isAddress(text, phone) : beginsAddress(text, phone)}
    or (starts_with(lower(c.name), lower(${text}))
      and (${hidden}::text is null or c.name !~ ${hidden}))
    or (starts_with(lower(c.first_name), lower(${text}))
      and (${hidden}::text is null or c.first_name !~ ${hidden}))
    or (starts_with(lower(c.last_name), lower(${text}))
      and (${hidden}::text is null or c.last_name !~ ${hidden}))
    or exists (select from contact_search s where s.business_id = ${businessId}
      and s.contact_id = c.id and ${words ?? none}))
`

/** A search with fewer matches starts from the matches; for others the list is scanned. */
export const fewMatches = 5_000

/** How many match, up to the few, and the search by which: with one wrong letter if nobody does without. */
export async function matchesOf(
  db: Db,
  businessId: Id<'business'>,
  search: Search,
): Promise<[number, Search]> {
  const matches = await countMatches(db, businessId, search, fewMatches)
  if (matches > 0 || !search.mistyped) return [matches, search]
  const mistyped = { ...search, words: search.mistyped }
  return [await countMatches(db, businessId, mistyped, fewMatches), mistyped]
}

/** A condition on rows `c` that exactly the contacts meet whom a list with this `q` shows. */
export async function searchCondition(db: Db, businessId: Id<'business'>, q: string): Promise<Sql> {
  const search = await searchFor(db, q)
  const [matches, nearest] = await matchesOf(db, businessId, search)
  return matches < fewMatches
    ? sqlWithin`c.id in (${matchingIds(businessId, nearest)})`
    : isMatch(businessId, nearest)
}

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
  const statement = sqlWithin`
    select ${contactColumns} from contacts c
    where business_id = ${businessId} and id < ${before ?? highestId} and id >= ${downTo ?? oldest}
      and ${search ? isMatch(businessId, search) : all}
      and (${tag}::text is null or ${tag} = any (tags))
      and (${emailConsent}::text is null or email_consent = ${emailConsent})
      and (${smsConsent}::text is null or sms_consent = ${smsConsent})
      and ${where ?? all}
    order by id desc limit ${limit}
  `
  return db.all(where || search?.words ? plannedAnew(statement) : statement)
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
