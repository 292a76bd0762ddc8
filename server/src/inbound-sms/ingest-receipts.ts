/**
 * Processes delivery receipts of texts. A receipt names the message by the provider's id, and says by
 * the provider's code what became of it. After that it is handled like every report: once, with all
 * consequences.
 */

import type { Id } from '../core/ids.ts'
import type { Database } from '../lib/db/types.ts'
import type { Verdict } from '../lib/email/classify.ts'
import type { BounceKind } from '../lib/email/reply-words.ts'
import { enqueue, type TellWorker } from '../lib/jobs/job.ts'
import type { SmsReceipt } from '../lib/sms/transport.ts'
import { twilioKind } from '../lib/sms/twilio.ts'
import { type Clock, later, minutes, seconds } from '../lib/time/clock.ts'
import { findByProviderIds } from '../messages/reports/reports.ts'

/** The most characters of a provider's words that are stored with the message. */
const wordsLength = 500

export type TextReport = {
  messageId: Id<'message'>
  at: Date
  source: string
  identity: string
  words: string
} & (
  | { event: 'delivered' }
  /** `hasStopped`: the person sent STOP to the provider. */
  | { event: 'bounced'; verdict: Verdict; hasStopped?: boolean }
)

/** Processes each report once. Returns how many were new. */
type TakeReports = (reports: TextReport[], now: Date) => Promise<number>

export interface ReceiptDeps {
  db: Database
  clock: Clock
  wake: TellWorker
  ingestReports: TakeReports
}

export const lateReceiptJob = 'reply.late-receipt'

/** A receipt that arrived before its message was recorded as accepted, or after it was deleted. */
export interface LateReceipt {
  route: string
  receipt: Omit<SmsReceipt, 'at'> & { at: string }
}

/** The acceptance is written some dozens of milliseconds later, or once the database is back. */
export const lateReceiptDelays = [seconds(10), minutes(1), minutes(10)]
const firstLookMs = seconds(1)

export async function takeReceipt(
  deps: ReceiptDeps,
  route: string,
  receipt: SmsReceipt,
): Promise<void> {
  // The message's state shows already that it is on its way.
  if (receipt.state === 'accepted') return
  if (await takeKnown(deps, route, receipt)) return
  const now = deps.clock.now()
  const payload: LateReceipt = { route, receipt: { ...receipt, at: receipt.at.toISOString() } }
  const dueAt = later(now, firstLookMs)
  const job = { kind: lateReceiptJob, businessId: null, payload, dueAt }
  await deps.db.tx((tx) => enqueue(tx, [job], now, deps.wake))
}

/** Returns false if no message has the receipt's provider id. */
export async function takeKnown(
  { db, clock, ingestReports }: Omit<ReceiptDeps, 'wake'>,
  route: string,
  receipt: SmsReceipt,
): Promise<boolean> {
  const [message] = await findByProviderIds(db, route, [receipt.providerId])
  if (!message) return false
  const { at, identity, state, words = '' } = receipt
  const common = {
    messageId: message.messageId,
    at,
    identity,
    source: `receipt of ${route.slice(0, route.indexOf(':'))}`,
    words: words.slice(0, wordsLength),
  }
  const report: TextReport =
    state === 'delivered'
      ? { ...common, event: 'delivered' }
      : { ...common, event: 'bounced', ...verdictOf(route, receipt) }
  await ingestReports([report], clock.now())
  return true
}

interface ReceiptVerdict {
  verdict: Verdict
  /** The person sent STOP to the provider, which says nothing about the number. */
  hasStopped?: boolean
}

export function verdictOf(route: string, { state, code }: SmsReceipt): ReceiptVerdict {
  const kind = kindOf(route, state, code)
  const rest = { status: code, final: true, slower: false }
  if (kind === 'stopped') return { verdict: { ...rest, kind: 'unknown' }, hasStopped: true }
  return { verdict: { ...rest, kind } }
}

function kindOf(
  route: string,
  state: SmsReceipt['state'],
  code: string | undefined,
): BounceKind | 'stopped' {
  if (state === 'expired') return 'soft'
  if (code === undefined) return 'unknown'
  if (route.startsWith('twilio:')) return twilioKind(code)
  // A rejection comes from the provider, with codes that only that provider uses.
  return (state === 'failed' && networkKinds.get(Number(code))) || 'unknown'
}

const networkKinds = new Map<number, BounceKind>([
  // Unknown or unidentified subscriber; illegal subscriber or equipment; no SMS service; barred.
  [1, 'hard'],
  [5, 'hard'],
  [9, 'hard'],
  [12, 'hard'],
  // Absent subscriber; memory full or busy; network failure.
  [6, 'soft'],
  [27, 'soft'],
  [31, 'soft'],
  [32, 'soft'],
  [34, 'soft'],
])
