/** Guesses the targets of a file's columns from their names and their cells. */

import { contactLimits } from '../contacts/contact.ts'
import { isRefusal } from '../core/errors.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { canonicalLanguageTag } from '../lib/text/language-tag.ts'
import {
  attributeTarget,
  baseOf,
  commonTarget,
  isBlank,
  isPlainNumber,
  plainName,
  readBoolean,
  readTarget,
  unguarded,
} from './cells.ts'
import { areStatuses } from './person-of.ts'
import type { KnownSource } from './plan.ts'

const leftOut = null

/** The columns that `errors.csv` adds after the columns of the file. */
export const errorColumns = ['error_code', 'error', 'row']

/** Each service's own column names, besides the common ones. Null means a column nobody needs. */
const byKnown: Readonly<Record<KnownSource, Readonly<Record<string, string | null>>>> = {
  crier: { standingemail: leftOut, standingsms: leftOut },
  mailchimp: {
    optintime: 'consent.email.at',
    optinip: 'consent.email.ip',
    confirmtime: 'consent.email.confirmed_at',
    confirmip: 'consent.email.confirmed_ip',
    unsubtime: 'consent.email.left_at',
    cleantime: 'consent.email.left_at',
    region: 'attributes.region',
    cc: 'attributes.country',
    timezone: 'attributes.timezone',
    memberrating: leftOut,
    latitude: leftOut,
    longitude: leftOut,
    gmtoff: leftOut,
    dstoff: leftOut,
    lastchanged: leftOut,
    leid: leftOut,
    euid: leftOut,
    unsubcampaigntitle: leftOut,
    unsubcampaignid: leftOut,
    unsubreason: leftOut,
    unsubreasonother: leftOut,
    cleancampaigntitle: leftOut,
    cleancampaignid: leftOut,
  },
  brevo: {
    contactid: leftOut,
    addedtime: leftOut,
    modifiedtime: leftOut,
    addeddate: leftOut,
    modifieddate: leftOut,
    whatsapp: leftOut,
    landlinenumber: leftOut,
    emailblacklisted: 'consent.email.left_at',
    emailblocklisted: 'consent.email.left_at',
    smsblacklisted: 'consent.sms.left_at',
    smsblocklisted: 'consent.sms.left_at',
    blacklisted: 'consent.email.left_at',
    blocklisted: 'consent.email.left_at',
  },
  listmonk: {
    uuid: leftOut,
    id: leftOut,
    status: 'consent.email',
    createdat: leftOut,
    updatedat: leftOut,
    attributes: 'attributes',
    attribs: 'attributes',
  },
  klaviyo: {
    klaviyoid: leftOut,
    profileid: leftOut,
    emailmarketingconsent: 'consent.email',
    emailmarketingconsenttimestamp: 'consent.email.at',
    emailconsentstatus: 'consent.email',
    emailconsenttimestamp: 'consent.email.at',
    smsmarketingconsent: 'consent.sms',
    smsmarketingconsenttimestamp: 'consent.sms.at',
    smsconsentstatus: 'consent.sms',
    smsconsenttimestamp: 'consent.sms.at',
    emailsuppressions: 'consent.email.left_at',
  },
}

/** A file comes from a service if it has all columns of one of that service's sets. */
const marks: readonly [KnownSource, readonly string[]][] = [
  ['mailchimp', ['memberrating', 'leid']],
  ['mailchimp', ['emailaddress', 'optintime']],
  ['mailchimp', ['emailaddress', 'confirmtime']],
  ['mailchimp', ['emailaddress', 'unsubtime']],
  ['mailchimp', ['emailaddress', 'cleantime']],
  ['listmonk', ['uuid', 'email', 'status', 'attributes']],
  ['klaviyo', ['klaviyoid', 'email']],
  ['klaviyo', ['email', 'emailmarketingconsent']],
  ['brevo', ['contactid', 'email']],
  ['brevo', ['email', 'firstname', 'sms']],
]

export function knownSourceOf(columns: readonly string[]): KnownSource | null {
  const names = new Set(columns.map(plainName))
  const source = marks.find(([, needed]) => needed.every((text) => names.has(text)))
  if (source) return source[0]
  const isOwn = columns.some(
    (column) => /^(?:consent\.|attributes\.)/.test(column) && readTarget(column),
  )
  return isOwn ? 'crier' : null
}

/** Finds a target for each column. A target that only one column can have is used only once. */
export function guessTargets(
  headings: readonly string[],
  profiles: readonly ColumnProfile[],
  source: KnownSource | null,
): (string | null)[] {
  const columns = headings.map(unguarded)
  const used = new Set<string>()
  const isOfErrors = errorColumns.every(
    (errorColumn, i) => columns.at(i - errorColumns.length) === errorColumn,
  )
  const own = columns.length - (isOfErrors ? errorColumns.length : 0)
  const targets = columns.map((column, i) => {
    if (i >= own) return leftOut
    const nameTarget = byName(column, source, profiles[i])
    const target = typeof nameTarget === 'string' && used.has(nameTarget) ? undefined : nameTarget
    if (typeof target === 'string') used.add(target)
    return target
  })
  return targets.map((target, i) => {
    if (target !== undefined) return target
    const guess = byContent(columns[i] ?? '', profiles[i], used)
    if (guess !== null) used.add(guess)
    return guess
  })
}

function byName(
  column: string,
  source: KnownSource | null,
  profile: ColumnProfile | undefined,
): string | null | undefined {
  const isTarget = readTarget(column) !== undefined
  if (isTarget && column !== 'phone' && column !== 'language') return column
  const name = plainName(column)
  const own = source === null ? undefined : byKnown[source]
  if (own && Object.hasOwn(own, name)) return own[name] ?? null
  const target = commonTarget(name)
  // Numbers without a country code, as people write them, are kept as an attribute.
  if (target === 'phone') return isOfPhones(profile, { source, isTarget }) ? target : undefined
  if (target !== 'language') return target
  return isTarget && isOfLanguages(profile) ? target : undefined
}

function isOfPhones(
  profile: ColumnProfile | undefined,
  { source, isTarget }: { source: KnownSource | null; isTarget: boolean },
): boolean {
  if (source === 'brevo' || isMostly(profile, 'phones')) return true
  if (!profile || profile.filled === 0) return isTarget
  // A spreadsheet takes the plus away from the numbers of an export.
  return source === 'crier' && (profile.numbers + profile.phones) * 2 > profile.filled
}

const isOfLanguages = (profile: ColumnProfile | undefined) =>
  !profile || profile.filled === 0 || isMostly(profile, 'languages')

function byContent(
  column: string,
  profile: ColumnProfile | undefined,
  used: ReadonlySet<string>,
): string | null {
  if (isMostly(profile, 'emails') && !used.has('email')) return 'email'
  if (isMostly(profile, 'phones') && !used.has('phone')) return 'phone'
  const isLanguage = /^lang|^locale$/i.test(column) && isOfLanguages(profile)
  if (isLanguage && !used.has('language')) return 'language'
  if (!profile || profile.filled === 0) return null
  const isStatus = profile.distinct !== null && areStatuses(profile.distinct)
  if (isStatus && !used.has('consent.email')) return 'consent.email'
  const bases = new Set([...used].map(baseOf))
  const key = column.trim().replaceAll(/\s+/g, '_').slice(0, 60).toLowerCase()
  for (let n = 1; n < 100; n++) {
    const target = attributeTarget(n === 1 ? key : `${key}_${n}`, typeOf(profile))
    if (readTarget(target) && !bases.has(baseOf(target))) return target
  }
  return null
}

/** Undefined for text, which accepts every cell. */
function typeOf({ filled, numbers, booleans }: ColumnProfile) {
  if (numbers === filled) return 'number' as const
  return booleans === filled ? ('boolean' as const) : undefined
}

/** Counts of cells. The object can be sent from one thread to another. */
export interface ColumnProfile {
  filled: number
  numbers: number
  booleans: number
  /** Counted for the first cells only, because recognising all of them costs too much. */
  looked: number
  emails: number
  phones: number
  languages: number
  hashes: number
  objects: number
  /** The texts that occur, or null if there are more than a person would translate one by one. */
  distinct: string[] | null
}

/** The most characters of an email address (RFC 5321 section 4.5.3.1), and more than a number has. */
export const longestAddress = 320

/** The number of a column's cells that are examined closely. */
const closely = 200

export function emptyProfile(): ColumnProfile {
  return {
    filled: 0,
    numbers: 0,
    booleans: 0,
    looked: 0,
    emails: 0,
    phones: 0,
    languages: 0,
    hashes: 0,
    objects: 0,
    distinct: [],
  }
}

/** The most different texts of a column that are kept, and the most characters of each. */
const distinctLimits = { texts: 12, length: 40 } as const

function addDistinct(texts: string[] | null, cell: string): string[] | null {
  if (texts === null || cell.length > distinctLimits.length) return null
  if (texts.includes(cell)) return texts
  return texts.length < distinctLimits.texts ? [...texts, cell] : null
}

type CountOf = Exclude<keyof ColumnProfile, 'distinct'>

export function lookAt(profiles: readonly ColumnProfile[], cells: readonly string[]): void {
  for (const [i, profile] of profiles.entries()) {
    const cell = unguarded((cells[i] ?? '').trim())
    if (isBlank(cell)) continue
    profile.filled++
    if (isPlainNumber(cell)) profile.numbers++
    if (readBoolean(cell) !== undefined) profile.booleans++
    profile.distinct = addDistinct(profile.distinct, cell)
    if (profile.looked >= closely) continue
    profile.looked++
    if (isLanguage(cell)) profile.languages++
    if (cell.startsWith('{') && cell.endsWith('}')) profile.objects++
    // To compose the letters of a long text may take the square of its length.
    if (cell.length > longestAddress) continue
    if (cell.includes('@') && !isRefusal(normaliseEmail(cell))) profile.emails++
    else if (isSha256(cell)) profile.hashes++
    else if (!isRefusal(normalisePhone(cell))) profile.phones++
  }
}

export function addProfiles(sum: ColumnProfile[], more: readonly ColumnProfile[]): void {
  for (const [i, profile] of more.entries()) {
    const total = sum[i] ?? emptyProfile()
    sum[i] = total
    const { distinct, ...counts } = profile
    for (const key of Object.keys(counts) as CountOf[]) total[key] += counts[key]
    total.distinct = distinct?.reduce(addDistinct, total.distinct) ?? null
  }
}

/** Whether more than half of the cells that were looked at fit. */
export function isMostly(
  profile: ColumnProfile | undefined,
  kind: 'emails' | 'phones' | 'hashes' | 'languages',
): boolean {
  return profile !== undefined && profile.looked > 0 && profile[kind] * 2 > profile.looked
}

/** Words such as `English` are no tags, although many of them are well formed. */
function isLanguage(cell: string): boolean {
  return cell.length <= contactLimits.languageLength && canonicalLanguageTag(cell) !== undefined
}

/** An address as lists of other services have it: 64 hexadecimal digits. */
export function isSha256(cell: string): boolean {
  return cell.length === 64 && Buffer.from(cell, 'hex').length === 32
}
