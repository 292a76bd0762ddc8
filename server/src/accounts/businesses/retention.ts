/** The retention setting: how long a business keeps its data, and how each domain deletes it. */

import { fewestHistoryMonths, retentionLimits } from '../../config/retention-limits.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/** In the order in which the nightly job deletes them. */
export const retainedKinds = [
  'messages',
  'evidence',
  'submissions',
  'contacts',
  'history',
  'events',
] as const
export type RetainedKind = (typeof retainedKinds)[number]

export const fewestMonths: Readonly<Record<RetainedKind, number>> = {
  messages: retentionLimits.minMonths,
  evidence: retentionLimits.minMonths,
  submissions: retentionLimits.minMonths,
  contacts: retentionLimits.minMonths,
  history: fewestHistoryMonths,
  events: fewestHistoryMonths,
}

/** Retention in months, by kind. A kind that is absent or null is never deleted. */
export type Retention = Readonly<Partial<Record<RetainedKind, number | null>>>

/**
 * For how many months a business keeps a kind; null: for good. The operator may limit what grows with
 * each message.
 */
export function keptMonths(
  retention: Retention,
  kind: RetainedKind,
  mostMonths: number | null,
): number | null {
  const own = retention[kind] ?? null
  const isLimited = kind === 'history' || kind === 'events'
  if (!isLimited || mostMonths === null) return own
  return Math.min(own ?? mostMonths, mostMonths)
}

/** The data of one business that is older than `before`. */
export interface Overdue {
  businessId: Id<'business'>
  before: Date
}

export interface Batch extends Overdue {
  /** The end of the last batch; null for the first batch. */
  after: string | null
  /** The most rows that are examined. */
  size: number
  hmac: Hmac
}

export interface Deleted {
  count: number
  /** The start of the next batch; null when no rows are left. */
  next: string | null
}

/** One kind of data, with how its domain counts and deletes it. */
export interface RetainedData {
  kind: RetainedKind
  /** How many rows the next nightly run would delete, counted up to `limit`. */
  count(db: Db, overdue: Overdue, limit: number): Promise<number>
  deleteSome(tx: Tx, batch: Batch, now: Date): Promise<Deleted>
}

/** The same day and time some calendar months earlier; the 31st becomes the month's last day. */
export function monthsBefore(now: Date, months: number): Date {
  const first = new Date(now)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - months)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  first.setUTCDate(Math.min(now.getUTCDate(), last.getUTCDate()))
  return first
}

/** The first kind that the new setting would delete earlier than the old one. */
export function shortenedKind(before: Retention, changed: Retention): RetainedKind | undefined {
  return retainedKinds.find((kind) => {
    const wanted = changed[kind]
    if (wanted === undefined || wanted === null) return false
    return wanted < (before[kind] ?? Infinity)
  })
}
