/**
 * What a receipt that tells of failure says of the number. Its code is the network's word:
 * Twilio's are its own; others pass on the error of the phone network (MAP, 3GPP TS 29.002
 * section 17.6.6), as far as they tell anything. In doubt nobody is suppressed.
 */
import type { Verdict } from '../lib/email/classify.ts'
import type { BounceKind } from '../lib/email/reply-words.ts'
import type { SmsReceipt } from '../lib/sms/transport.ts'
import { twilioKind } from '../lib/sms/twilio-refusals.ts'

const networkKinds = new Map<number, BounceKind>([
  // Unknown subscriber; unidentified; illegal; no equipment for it; no texts; barred by itself.
  [1, 'hard'],
  [5, 'hard'],
  [9, 'hard'],
  [12, 'hard'],
  // Absent; its memory is full or it is busy; the network failed.
  [6, 'soft'],
  [27, 'soft'],
  [31, 'soft'],
  [32, 'soft'],
  [34, 'soft'],
])

export function verdictOf(route: string, { state, code }: SmsReceipt): Verdict {
  return { kind: kindOf(route, state, code), status: code, final: true, slower: false }
}

function kindOf(route: string, state: SmsReceipt['state'], code: string | undefined): BounceKind {
  if (state === 'expired') return 'soft'
  if (code === undefined) return 'unknown'
  if (route.startsWith('twilio:')) return twilioKind(code)
  // A refusal is the provider's own, whose codes are nobody else's.
  return (state === 'failed' && networkKinds.get(Number(code))) || 'unknown'
}
