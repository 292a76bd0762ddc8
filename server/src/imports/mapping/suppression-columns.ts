/** What the columns of a file of suppressions are. */

import { type ImportedReason, importedReasons } from '../../contacts/suppressions/import.ts'
import { errorColumns } from './guess.ts'
import { type ColumnProfile, isMostly } from './profile.ts'
import { commonTarget, plainName } from './target.ts'

export const suppressionTargets = ['email', 'phone', 'sha256', 'reason', 'at'] as const
export type SuppressionTarget = (typeof suppressionTargets)[number]

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
export function readReason(cell: string): Word | undefined {
  const word = cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const own = importedReasons.find((importedReason) => importedReason === word)
  return own ?? (Object.hasOwn(words, word) ? words[word] : undefined)
}
