/** Profiles of the columns, updated row by row. The guesses of targets and types use them. */

import { contactLimits } from '../../contacts/contact.ts'
import { isRefusal } from '../../core/errors.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { canonicalLanguageTag } from '../../lib/text/language-tag.ts'
import { isBlank, isPlainNumber, readBoolean } from './cells.ts'
import { unguarded } from './formula-guard.ts'

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
export const distinctLimits = { texts: 12, length: 40 } as const

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

/** Of the cells that were looked at, more than half. */
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
