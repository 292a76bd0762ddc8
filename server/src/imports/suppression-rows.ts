/**
 * Rows of a file of people who must not be written to, each of which becomes a suppression, and what
 * the columns of such a file are. A cell that cannot be read is left out, and the row is refused
 * only where none of its addresses can be read.
 */

import { isTime } from '../contacts/contact.ts'
import { startOf } from '../contacts/filters/times.ts'
import { type ImportedReason, importedReasons } from '../contacts/suppressions/import.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import {
  commonTarget,
  type FaultWords,
  type LeftOutCell,
  plainName,
  unguarded,
  wordsOf,
} from './cells.ts'
import { type ColumnProfile, errorColumns, isMostly, isSha256 } from './columns.ts'
import type { Plan } from './plan.ts'

export interface SuppressionRow {
  email?: string
  phone?: string
  /** In small hexadecimal digits. */
  sha256?: string
  reason: ImportedReason
  /** ISO 8601; absent where the row has no date that can be read. */
  at?: string
}

interface ReadSuppression {
  suppression: SuppressionRow
  leftOut?: LeftOutCell[]
}

export function suppressionReader(
  plan: Plan,
): (cells: readonly string[]) => ReadSuppression | Refusal {
  const targets = plan.targets.map((text) =>
    text !== null && isSuppressionTarget(text) ? text : undefined,
  )
  return (cells) => {
    const texts: Partial<Record<SuppressionTarget, string>> = {}
    for (const [i, target] of targets.entries()) {
      const cell = unguarded(cells[i] ?? '').trim()
      if (target && cell !== '') texts[target] = cell
    }
    const row = readSuppression(texts, plan)
    return isRefusal(row) ? row : withLeftOut(row, targets)
  }
}

/** The row, with what was left out of it by the columns of its cells. */
function withLeftOut(
  { suppression, invalidCells }: SuppressionAndFaults,
  targets: readonly (SuppressionTarget | undefined)[],
): ReadSuppression {
  const leftOut = invalidCells.map(({ target, ...words }) => {
    return { column: targets.indexOf(target), field: target, ...words }
  })
  return leftOut.length > 0 ? { suppression, leftOut } : { suppression }
}

interface SuppressionAndFaults {
  suppression: SuppressionRow
  invalidCells: WrongCell[]
}

interface WrongCell extends FaultWords {
  target: SuppressionTarget
}

function readSuppression(
  { email, phone, sha256, reason, at }: Partial<Record<SuppressionTarget, string>>,
  { reason: otherwise = 'unsubscribed', country }: Plan,
): SuppressionAndFaults | Refusal {
  const ownReason = reason === undefined ? undefined : readReason(reason)
  if (ownReason === 'may_be_written_to') {
    const text =
      'The row says that the person may be written to. Leave the column out, with null, if all people of the file are to be suppressed.'
    return refuse('invalid_request', text, {
      field: 'reason',
      data: { reason: 'may_be_written_to' },
    })
  }
  const since = at === undefined ? undefined : readTime(at)
  const row: SuppressionRow = { reason: ownReason ?? otherwise, ...(since && { at: since }) }
  const invalidCells: WrongCell[] = []
  let ofAddress: Refusal | undefined
  const leaveOut = (target: SuppressionTarget, refusal: Refusal) => {
    ofAddress ??= refusal
    invalidCells.push({ target, ...wordsOf(refusal) })
  }
  if (at !== undefined && since === undefined) {
    invalidCells.push({ target: 'at', message: noTime, reason: 'no_moment' })
  }
  if (email !== undefined && isSha256(email)) row.sha256 = email.toLowerCase()
  else if (email !== undefined) {
    const address = normaliseEmail(email)
    if (isRefusal(address)) leaveOut('email', address)
    else row.email = address
  }
  if (phone !== undefined) {
    const number = normalisePhone(phone, country)
    if (isRefusal(number)) leaveOut('phone', number)
    else row.phone = number
  }
  if (sha256 !== undefined) {
    if (!isSha256(sha256)) {
      const text = 'sha256 must be the SHA-256 of an address, in 64 hexadecimal digits.'
      leaveOut(
        'sha256',
        refuse('invalid_request', text, { field: 'sha256', data: { reason: 'wrong_form' } }),
      )
    } else row.sha256 = sha256.toLowerCase()
  }
  if (row.email !== undefined || row.phone !== undefined || row.sha256 !== undefined) {
    return { suppression: row, invalidCells }
  }
  if (ofAddress) return ofAddress
  return refuse('invalid_request', 'The row has no address.', {
    field: 'row',
    data: { reason: 'row_without_address' },
  })
}

const noTime =
  'at must be an unambiguous date, such as 2026-11-27 or 2026-11-27T12:00:00Z. The suppression begins with the import.'

/** Undefined for what is no date that all read alike: the suppression then begins with the import. */
function readTime(text: string): string | undefined {
  const moment = [text, `${text.replace(' ', 'T')}Z`].find(isTime)
  return moment && startOf(moment, 'UTC').toISOString()
}

export const suppressionTargets = ['email', 'phone', 'sha256', 'reason', 'at'] as const
type SuppressionTarget = (typeof suppressionTargets)[number]

export const isSuppressionTarget = (text: string): text is SuppressionTarget =>
  suppressionTargets.some((suppressionTarget) => suppressionTarget === text)

/** Names of columns, in small letters and digits alone. */
const names: Readonly<Record<string, SuppressionTarget>> = {
  emailsha256: 'sha256',
  sha256email: 'sha256',
  emailhash: 'sha256',
  hash: 'sha256',
  status: 'reason',
  suppressionreason: 'reason',
  date: 'at',
  time: 'at',
  timestamp: 'at',
  created: 'at',
  createdat: 'at',
  unsubtime: 'at',
  cleantime: 'at',
  unsubscribedat: 'at',
  suppressedat: 'at',
  blockedat: 'at',
}

export function guessSuppressionTargets(
  columns: readonly string[],
  profiles: readonly ColumnProfile[],
): (SuppressionTarget | null)[] {
  const own = errorColumns.every(
    (errorColumn, i) => columns.at(i - errorColumns.length) === errorColumn,
  )
    ? columns.length - errorColumns.length
    : columns.length
  const used = new Set<SuppressionTarget>()
  const take = (target: SuppressionTarget | undefined): SuppressionTarget | null => {
    if (target === undefined || used.has(target)) return null
    used.add(target)
    return target
  }
  const targets = columns.map((column, i) => (i < own ? take(byName(column, profiles[i])) : null))
  return targets.map((target, i) => target ?? (i < own ? take(byContent(profiles[i])) : null))
}

function byName(column: string, profile: ColumnProfile | undefined): SuppressionTarget | undefined {
  const name = plainName(column)
  const target = isSuppressionTarget(name)
    ? name
    : Object.hasOwn(names, name)
      ? names[name]
      : commonTarget(name)
  if (target === undefined || !isSuppressionTarget(target)) return undefined
  // Numbers as people write them, without a country, would have whole rows refused.
  return target === 'phone' && !isMostly(profile, 'phones') ? undefined : target
}

function byContent(profile: ColumnProfile | undefined): SuppressionTarget | undefined {
  if (isMostly(profile, 'hashes')) return 'sha256'
  if (isMostly(profile, 'emails')) return 'email'
  return isMostly(profile, 'phones') ? 'phone' : undefined
}

/** Why people are on the list, where their rows do not say it. */
export function guessReason(columns: readonly string[]): ImportedReason {
  const names = new Set(columns.map(plainName))
  return names.has('cleantime') && !names.has('unsubtime') ? 'bounce' : 'unsubscribed'
}

type Word = ImportedReason | 'may_be_written_to'

/** Words of the lists that are known, in lower case with single underscores. */
const words: Readonly<Record<string, Word>> = {
  unsubscribe: 'unsubscribed',
  unsub: 'unsubscribed',
  opted_out: 'unsubscribed',
  optout: 'unsubscribed',
  complained: 'complaint',
  spam: 'complaint',
  abuse: 'complaint',
  spam_complaint: 'complaint',
  spam_report: 'complaint',
  marked_as_spam: 'complaint',
  bounced: 'bounce',
  hard_bounce: 'bounce',
  hardbounce: 'bounce',
  cleaned: 'bounce',
  invalid: 'bounce',
  invalid_email: 'bounce',
  stop: 'manual',
  blocked: 'manual',
  blocklisted: 'manual',
  blacklisted: 'manual',
  suppressed: 'manual',
  user_suppressed: 'manual',
  subscribed: 'may_be_written_to',
  enabled: 'may_be_written_to',
  active: 'may_be_written_to',
  confirmed: 'may_be_written_to',
}

/** Undefined where the cell says nothing that is known. */
function readReason(cell: string): Word | undefined {
  const word = cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const own = importedReasons.find((importedReason) => importedReason === word)
  return own ?? (Object.hasOwn(words, word) ? words[word] : undefined)
}
