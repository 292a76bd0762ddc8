/**
 * What a provider asks of a sender, and misses: a record in DNS, a header, or a way to send. From
 * a refusal, which has a status of its own for some of these, or names it in words.
 */
import { orangeCode, requirementsOfOrange } from './orange-codes.ts'
import { has, plainWords } from './reply-words.ts'

/**
 * - `spf`, `dkim`, `dmarc`: the check failed, or there is no record.
 * - `alignment`: SPF and DKIM pass, but for another domain than that of the From header.
 * - `ptr`: the sending address has no name in DNS, or its name leads elsewhere.
 * - `mx`: the sender's domain has no record for mail.
 * - `tls`: the connection was not encrypted.
 * - `unsubscribe`: the header List-Unsubscribe, for one click.
 */
export const senderRequirements = [
  'spf',
  'dkim',
  'dmarc',
  'alignment',
  'ptr',
  'mx',
  'tls',
  'unsubscribe',
] as const
export type SenderRequirement = (typeof senderRequirements)[number]

/**
 * The last two parts of a status, behind 4 or 5. RFC 7372 section 3 and the tables of Google
 * (support.google.com/a/answer/3726730) and Microsoft (non-delivery reports in Exchange Online).
 * Others use some of these differently, so a requirement that the words name comes first.
 */
const byStatus = new Map<string, readonly SenderRequirement[]>([
  ['7.20', ['dkim']],
  ['7.21', ['dkim']],
  ['7.22', ['dkim']],
  ['7.23', ['spf']],
  ['7.24', ['spf']],
  ['7.25', ['ptr']],
  ['7.26', ['spf', 'dkim']],
  ['7.27', ['spf']],
  ['7.29', ['tls']],
  ['7.30', ['dkim']],
  ['7.31', ['dmarc']],
  ['7.32', ['alignment']],
  ['7.509', ['dmarc']],
  ['7.515', ['spf', 'dkim', 'dmarc']],
])

/** Statuses of Google's with which it limits the rate, though their words name a domain of DKIM. */
const aboutRate = ['7.28']

/** Microsoft's, for a receiving server whose TLS or DNSSEC is at fault. */
export const aboutReceiver = ['7.321', '7.322', '7.323', '7.324', '7.325']

/** What is missing by this refusal. Empty if it is about something else. */
export function requirementsIn(text: string, status: string | undefined): SenderRequirement[] {
  const orange = orangeCode(text)
  if (orange !== undefined) return requirementsOfOrange(orange)
  const words = plainWords(text)
  const detail = status?.slice(2) ?? ''
  if (aboutRate.includes(detail) || aboutReceiver.includes(detail)) return []
  const byDetail = byStatus.get(detail)
  if (byDetail === undefined && !isFault(words)) return []
  const requirement = namedIn(words)
  return requirement.length > 0 ? requirement : [...(byDetail ?? [])]
}

/** Words of a refusal, without which a mechanism may be named for another reason. */
const faults = [
  'fail',
  'fails',
  'failed',
  'failure',
  'failing',
  'invalid',
  'didnt pass',
  'did not pass',
  'does not pass',
  'doesnt pass',
  'doesnt have',
  'does not have',
  'has no',
  'no',
  'not found',
  'cannot find',
  'not permitted',
  'not allowed',
  'not aligned',
  'isnt aligned',
  'must have',
  'must pass',
  'must issue',
  'must support',
  'unauthenticated',
  'missing',
  'require',
  'required',
  'requires',
  'requirements',
  'guidelines regarding',
  'violation',
  'bad',
  'policy',
  'suspicious entries',
  'verify',
  'verification',
  'en echec',
]

const isFault = (words: string) =>
  has(words, faults) && !has(words, ['unusual rate', 'unusual amount'])

const alignments = ['alignment', 'aligned', 'align']
const pointers = [
  'ptr',
  'rdns',
  'reverse dns',
  'reverse hostname',
  'find your hostname',
  'find your reverse hostname',
]
const mailRecords = [
  'sender domain not found',
  'sender domain must exist',
  'sender address rejected domain not found',
  'sender address has null mx',
  'mail from domain has no mx',
  'domain has no mx',
]
const encryption = [
  'tls required',
  'issue a starttls',
  'requires encryption tls',
  'requires tls',
  'tls connection',
  'require tls',
  'use tls',
  'without tls',
]
const unsubscribing = ['list unsubscribe', 'one click unsubscribe', 'one click unsubscription']

function namedIn(words: string): SenderRequirement[] {
  // Such a text names SPF and DKIM too, which did pass.
  if (has(words, alignments)) return ['alignment']
  const checks = (['spf', 'dkim', 'dmarc'] as const).filter((check) => isAtFault(words, check))
  return [
    ...checks,
    ...(has(words, pointers) ? (['ptr'] as const) : []),
    ...(has(words, mailRecords) ? (['mx'] as const) : []),
    ...(has(words, encryption) ? (['tls'] as const) : []),
    ...(has(words, unsubscribing) ? (['unsubscribe'] as const) : []),
  ]
}

/** Whether a check is named, and not only as one that passed: `Spf=Pass, Dkim=Fail`. */
function isAtFault(words: string, check: 'spf' | 'dkim' | 'dmarc'): boolean {
  const [, ...after] = words.split(` ${check} `)
  return after.some((rest) => !rest.startsWith('pass'))
}
