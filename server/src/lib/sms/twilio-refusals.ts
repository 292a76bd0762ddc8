/** What Twilio's error codes mean for a text (its docs, "Error and Warning Dictionary"). */
import type { RefusalKind, SmsRefused } from './transport.ts'

const kinds: Record<string, RefusalKind> = {
  // The number: invalid, not a mobile, unreachable, unknown, a landline.
  21211: 'hard',
  21217: 'hard',
  21401: 'hard',
  21421: 'hard',
  21614: 'hard',
  30005: 'hard',
  30006: 'hard',
  // The person sent STOP to this number or messaging service ("Error 21610").
  21610: 'stopped',
  // The sender or the content: no permission for the country, an invalid sender, filtered.
  21408: 'policy',
  21212: 'policy',
  21603: 'policy',
  21606: 'policy',
  21611: 'policy',
  21612: 'policy',
  21619: 'policy',
  21660: 'policy',
  30004: 'policy',
  30007: 'policy',
  30034: 'policy',
  // Temporary: the queue is full, the phone is off, the network is at fault.
  20429: 'soft',
  21617: 'policy',
  30001: 'soft',
  30003: 'soft',
  30008: 'unknown',
}

const slowed = new Set(['20429', '30001', '14107'])

/** For a response to a request of ours. `status` is the HTTP status. */
export function twilioRefusal(status: number, code: string, words: string): SmsRefused {
  const slower = status === 429 || slowed.has(code)
  const kind = slower ? 'soft' : twilioKind(code)
  return {
    result: 'refused',
    final: kind !== 'soft',
    kind,
    ...(slower && { slower }),
    code,
    words,
  }
}

export function twilioKind(code: string): RefusalKind {
  // A caller of our webhook endpoint may send any code, including `constructor`.
  return Object.hasOwn(kinds, code) ? (kinds[code] ?? 'unknown') : 'unknown'
}
