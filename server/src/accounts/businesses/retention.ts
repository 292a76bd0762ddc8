/** For how long a business keeps what it has: a setting, and what each domain does about it. */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/** In the order in which a night deletes them. */
export const retainedKinds = ['messages', 'evidence', 'submissions', 'contacts'] as const
export type RetainedKind = (typeof retainedKinds)[number]

export const retentionLimits = { minMonths: 1, maxMonths: 120 } as const

/** Months; a kind that is absent or null is kept. */
export type Retention = Readonly<Partial<Record<RetainedKind, number | null>>>

/** What is older than `before`, of one business. */
export interface Overdue {
  businessId: Id<'business'>
  before: Date
}

export interface Batch extends Overdue {
  /** Where the last batch ended; null for the first. */
  after: string | null
  /** Rows that are looked at, at most. */
  size: number
  hmac: Hmac
}

export interface Deleted {
  count: number
  /** Where the next batch begins; null where nothing is left. */
  next: string | null
}

/** One kind of data, as its domain counts and deletes it. */
export interface RetainedData {
  kind: RetainedKind
  /** How many the next night deletes, counted up to `most`. */
  count(db: Db, overdue: Overdue, most: number): Promise<number>
  deleteSome(tx: Tx, batch: Batch, now: Date): Promise<Deleted>
}

/** The same day and time so many calendar months earlier; the 31st becomes the month's last day. */
export function monthsBefore(now: Date, months: number): Date {
  const first = new Date(now)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - months)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  first.setUTCDate(Math.min(now.getUTCDate(), last.getUTCDate()))
  return first
}

/** The first kind that would be deleted earlier than before. */
export function shortenedKind(before: Retention, asked: Retention): RetainedKind | undefined {
  return retainedKinds.find((kind) => {
    const wanted = asked[kind]
    if (wanted === undefined || wanted === null) return false
    return wanted < (before[kind] ?? Infinity)
  })
}
