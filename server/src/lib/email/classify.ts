/**
 * Interprets the answer of a receiving server. One function judges SMTP replies, delivery reports
 * and provider events, by status (RFC 3463) and words together: many servers and gateways write
 * 5.1.1 for whatever they refuse, and their words say that it was the sender. Where the two
 * disagree, or neither says enough, no recipient is suppressed.
 */
import { causeOfOrange, orangeCode } from './orange-codes.ts'
import {
  type BounceCause,
  type BounceKind,
  causeIn,
  kindOfCause,
  plainWords,
} from './reply-words.ts'
import { aboutReceiver, requirementsIn, type SenderRequirement } from './sender-requirements.ts'

/** The answer of the remote server, as far as its parts are known. */
export interface Reply {
  /** The action of a report (RFC 3464 section 2.3.3), such as `failed`; no SMTP reply has one. */
  action?: string | undefined
  /** An enhanced status, such as `5.1.1`. */
  status?: string | undefined
  /** The three digits of an SMTP reply. */
  code?: number | undefined
  /** The remote server's own text. A status within it is found. */
  text: string
}

export interface Verdict {
  kind: BounceKind
  /** Only set for mail. */
  cause?: BounceCause
  /** What the sender lacks, if that is the cause; of mail alone. */
  missing?: readonly SenderRequirement[]
  /** The status that decided, if there was one. */
  status: string | undefined
  /** Whether there is no further retry: after a 5xx reply or a report with `failed`. */
  final: boolean
  /** Whether the remote server asks for a lower rate: 421, or a status 4.7.x. */
  slower: boolean
}

/** How many characters of the remote server's text are examined. */
const readLength = 2_000

export function classify(reply: Reply): Required<Verdict> {
  const text = reply.text.slice(0, readLength)
  const own = statusOf(reply, text)
  const status = own ?? plainStatus(reply.code)
  const final = isFinal(reply, status)
  const slower = reply.code === 421 || status?.startsWith('4.7.') === true
  const words = plainWords(text)
  const missing = requirementsIn(text, status)
  const judged =
    missing.length > 0 ? 'authentication' : causeOf({ ...reply, text, status: own, words })
  // What may succeed later, or failed later only for want of time, ends no mailbox.
  const isOpen = !final || status?.startsWith('4.') === true
  // A report of a delay comes from a server that goes on trying.
  const isDelay = reply.action !== undefined && !final && judged !== 'authentication'
  const isLater = isDelay || (isOpen && kindOfCause[judged] !== 'policy')
  const cause = isLater ? openCause(judged) : judged
  return { kind: kindOfCause[cause], cause, missing, status, final, slower }
}

const openCause = (cause: BounceCause): BounceCause => (cause === 'mailbox' ? cause : 'temporary')

/** Whether the remote server refused the sender, and would refuse its next message as well. */
export function refusesSender({ kind, cause }: Pick<Verdict, 'kind' | 'cause'>): boolean {
  return kind === 'policy' && cause !== 'message'
}

/**
 * The most specific status: `5.0.0` means only that it failed (RFC 3463 section 3.1). The server's
 * own text comes before the status of a report: a gateway writes 5.1.1 beside the diagnostic
 * `550 5.7.1`, and the diagnostic is what the server said (RFC 3464 section 2.3.6).
 */
function statusOf({ status }: Reply, text: string): string | undefined {
  const statuses = [statusIn(text), status?.trim()].filter(
    (entry) => entry !== undefined && isStatus(entry),
  )
  const specific = statuses.find((entry) => !entry?.endsWith('.0.0'))
  return specific ?? statuses[0]
}

const isStatus = (text: string) => /^[245]\.\d{1,3}\.\d{1,3}$/.test(text)

/** The first status in a text. Parts of IP addresses and versions do not count. */
export function statusIn(text: string): string | undefined {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0]
}

/** Reply codes that mean the same as an enhanced status (RFC 5321 section 4.2.3). */
function plainStatus(code: number | undefined): string | undefined {
  if (code === 452 || code === 552) return `${String(code)[0]}.2.2`
  if (code === 530 || code === 535) return '5.7.0'
  return undefined
}

function isFinal({ action, code }: Reply, status: string | undefined): boolean {
  if (action !== undefined) return action.trim().toLowerCase() === 'failed'
  if (code !== undefined) return code >= 500
  return status?.startsWith('5.') ?? false
}

/** RFC 3463 sections 3.2 to 3.8 and the tables of those who have statuses of their own. */
const byStatus = new Map<string, BounceCause>([
  ['1.0', 'recipient'],
  ['1.1', 'recipient'],
  ['1.2', 'recipient'],
  ['1.3', 'recipient'],
  ['1.6', 'recipient'],
  ['1.7', 'sender'],
  ['1.8', 'sender'],
  // RFC 7505, and Microsoft's `Recipient not found`.
  ['1.10', 'recipient'],
  // Microsoft: several addresses in From; the day's limit of recipients.
  ['1.20', 'sender'],
  ['1.90', 'rate'],
  ['2.1', 'recipient'],
  ['2.2', 'mailbox'],
  ['2.3', 'message'],
  ['2.121', 'mailbox'],
  ['2.122', 'mailbox'],
  ['3.1', 'temporary'],
  ['3.4', 'message'],
  ['4.4', 'recipient'],
  ['4.5', 'rate'],
  ['4.6', 'route'],
  ['4.7', 'temporary'],
  ['4.14', 'route'],
  ['4.300', 'temporary'],
  ['4.310', 'recipient'],
  ['4.316', 'unreachable'],
])

interface ToJudge extends Reply {
  /** The text as `plainWords` gives it. */
  words: string
}

function causeOf({ code, status, text, words }: ToJudge): BounceCause {
  const orange = orangeCode(text)
  if (orange !== undefined) return causeOfOrange(orange)
  const byWords = causeIn(words)
  // The subject and detail of the status, such as `1.1`.
  const own = status?.slice(2) ?? ''
  const detail = own || (plainStatus(code)?.slice(2) ?? '')
  if (detail.startsWith('7.')) return causeOfPolicy(detail, byWords)
  const byDetail = byStatus.get(detail) ?? (detail.startsWith('6.') ? 'message' : undefined)
  if (byWords === 'recipient') return mayMeanRecipient(code, own, words) ? 'recipient' : 'unknown'
  if (byWords !== undefined) return (isOnlyTime(byWords, byDetail) && byDetail) || byWords
  if (byDetail === undefined) return 'unknown'
  // 5.1.0 is about either address, and 5.2.1 about a mailbox that is closed or only takes no mail.
  // Where the server has words for it, they have to say which.
  const isVague = detail === '1.0' || detail === '2.1'
  return isVague && words.trim() !== '' ? 'unknown' : byDetail
}

/** Words about the recipient do not make a refusal by policy one of the address. */
function causeOfPolicy(detail: string, byWords: BounceCause | undefined): BounceCause {
  if (aboutReceiver.includes(detail)) return 'unknown'
  // Microsoft's table: the recipient's address is not valid.
  if (detail === '7.504' && byWords === 'recipient') return 'recipient'
  return byWords === undefined || byWords === 'recipient' ? 'sender' : byWords
}

/** `Message expired` and its like name no reason. A status that names one says more. */
const isOnlyTime = (byWords: BounceCause, byDetail: BounceCause | undefined) =>
  byWords === 'temporary' && (byDetail === 'mailbox' || byDetail === 'unreachable')

/** Statuses about something other than the recipient's address, whatever the words are. */
const otherwise = ['1.7', '1.8', '1.20', '1.90', '2.2', '3.4']

/**
 * Whether code and status leave room for words about the recipient. `Mailbox unavailable` may mean
 * anything (RFC 5321 section 4.2.3), so it needs a 550 besides.
 */
function mayMeanRecipient(code: number | undefined, detail: string, words: string): boolean {
  if (detail.startsWith('6.') || otherwise.includes(detail)) return false
  return code === undefined || code === 550 || !words.includes(' mailbox unavailable ')
}
