/**
 * Orange and La Poste end their replies with a code of their own, such as `OFR_416` or
 * `LPN007_517`, whatever stands before it. The table is that of postmaster.orange.fr.
 */
import type { BounceCause } from './reply-words.ts'

/** The last three digits, which say what it is about. */
export function orangeCode(text: string): string | undefined {
  return /\b(?:OFR|LPN|OUK)[0-9]{0,3}[_-]?([0-9]{3})\b/.exec(text)?.[1]
}

const causes = new Map<string, BounceCause>([
  ['104', 'rate'],
  ['109', 'rate'],
  ['416', 'recipient'],
  ['417', 'mailbox'],
  ['418', 'recipient'],
  // The mailbox is archived, or its account is blocked: not for good, as far as the table says.
  ['420', 'unknown'],
  ['426', 'unknown'],
  ['505', 'temporary'],
  ['514', 'message'],
])

/** All other codes are about the sender. */
export const causeOfOrange = (code: string): BounceCause => causes.get(code) ?? 'sender'

/** Some of the requirements in `sender-requirements.ts`. */
type Requirement = 'ptr' | 'spf' | 'mx' | 'dmarc'

const requirements = new Map<string, Requirement>([
  ['107', 'ptr'],
  ['401', 'spf'],
  ['405', 'mx'],
  ['515', 'dmarc'],
  ['517', 'dmarc'],
  ['519', 'spf'],
])

export function requirementsOfOrange(code: string): Requirement[] {
  // 390 to 399: errors in the SPF record.
  const requirement = code.startsWith('39') ? 'spf' : requirements.get(code)
  return requirement === undefined ? [] : [requirement]
}
