/** Guesses the targets of a file's columns from their names and their cells. */

import { unguarded } from './formula-guard.ts'
import { areStatuses } from './person-of.ts'
import type { KnownSource } from './plan.ts'
import { type ColumnProfile, isMostly } from './profile.ts'
import { attributeTarget, baseOf, commonTarget, plainName, readTarget } from './target.ts'

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
    const wanted = byName(column, source, profiles[i])
    const target = typeof wanted === 'string' && used.has(wanted) ? undefined : wanted
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
