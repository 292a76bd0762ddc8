/**
 * The conclusion that a failure receipt allows about the number. Its code comes from the network:
 * Twilio has codes of its own, and other providers pass on the error of the phone network (MAP,
 * 3GPP TS 29.002 section 17.6.6). If in doubt, nobody is suppressed.
 */
import type { Verdict } from '../lib/email/classify.ts'
import type { BounceKind } from '../lib/email/reply-words.ts'
import type { SmsReceipt } from '../lib/sms/transport.ts'
import { twilioKind } from '../lib/sms/twilio-refusals.ts'

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

export interface ReceiptVerdict {
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
